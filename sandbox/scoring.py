"""Scoring: the contacts that a run has stored, compared with those that were planted in the world."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sandbox.contacts import DISGUISES

Record = Mapping[str, Any]  # of sandbox.truth
Key = tuple[str, str, str]  # owner, kind, value

# Where a way of finding is called otherwise than the way of hiding.
_DISGUISE_OF = {"phone-text": "text"}
_LEAST_DIGITS = 7
NOT_RECOGNISED, HIDDEN, NOT_STORED, NOT_REACHED, STILL_OPEN = (
    "not-recognised",
    "hidden",
    "page-not-stored",
    "not-reached",
    "still-open",
)
NO_SUCH_OWNER, ANOTHERS, NOT_PLANTED = "no-such-owner", "another-business's", "not-planted"


@dataclass(frozen=True, slots=True)
class Stored:
    """One stored contact; `owner` is a domain's name, or the provider's id of a business that has none."""

    owner: str
    kind: str
    value: str
    methods: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()

    @property
    def disguises(self) -> set[str]:
        """Name the disguises that it was seen through."""
        return {_DISGUISE_OF.get(method, method) for method in self.methods} & DISGUISES.keys()


@dataclass(frozen=True, slots=True)
class Fate:
    """How work ended; `status` is None where there was none, and `reason` then says why it was not wanted."""

    status: str | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Miss:
    """A planted contact that was not stored; `why` is one word, once it is known."""

    owner: str
    kind: str
    value: str
    disguises: tuple[str, ...]
    pages: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Extra:
    """A stored contact that was not planted; a decoy is the worst of them."""

    stored: Stored
    why: str
    is_decoy: bool = False


@dataclass(slots=True)
class Tally:
    """How many were planted and found again, and how many were stored and right."""

    planted: int = 0
    found: int = 0
    stored: int = 0
    right: int = 0

    @property
    def recall(self) -> float:
        return self.found / self.planted if self.planted else 1.0

    @property
    def precision(self) -> float:
        return self.right / self.stored if self.stored else 1.0


@dataclass(slots=True)
class Score:
    """The comparison: sums, by kind of contact, by disguise, and every difference."""

    businesses: int = 0
    total: Tally = field(default_factory=Tally)
    kinds: dict[str, Tally] = field(default_factory=dict)
    disguises: dict[str, Tally] = field(default_factory=dict)
    misses: list[Miss] = field(default_factory=list)
    extras: list[Extra] = field(default_factory=list)

    def tallies(self, kind: str, disguises: Iterable[str]) -> list[Tally]:
        """Give every tally that a contact counts in."""
        by_disguise = [self.disguises.setdefault(disguise, Tally()) for disguise in sorted(disguises)]
        return [self.total, self.kinds.setdefault(kind, Tally()), *by_disguise]


def score(records: Iterable[Record], stored: Iterable[Stored]) -> Score:
    """Compare what was stored with the truth, business by business."""
    truth, made = Truth(), Score()
    for record in records:
        truth.add(record)
    made.businesses = truth.businesses
    contacts = {_key(truth.owner_of(each.owner), each.kind, each.value): each for each in stored}
    for key, planted in truth.planted.items():
        _count_planted(made, key, planted, key in contacts)
    for key, contact in contacts.items():
        _count_stored(made, truth, key, contact)
    return made


class Truth:
    """What is planted where, by owner; branches of a chain bring the same once more."""

    def __init__(self) -> None:
        self.businesses = 0
        self.planted: dict[Key, list[Record]] = {}
        self.values: set[tuple[str, str]] = set()
        self.decoys: dict[str, list[Record]] = {}
        self.phones: set[Key] = set()
        self._owners: dict[str, str] = {}

    def add(self, record: Record) -> None:
        """Take in the record of one business."""
        self.businesses += 1
        owner = record["contacts_domain"] or record["place_id"]
        self._owners |= {record["domain"] or owner: owner, record["place_id"]: owner}
        self.decoys[owner] = record["decoys"]
        self.phones.add(_key(owner, "phone", record["phone"]))
        for contact in record["contacts"]:
            key = _key(owner, contact["kind"], contact["value"])
            places = self.planted.setdefault(key, [])
            places += [contact] if contact not in places else []
            self.values.add(key[1:])

    def owner_of(self, owner: str) -> str:
        """Name the owner that contacts are planted for: a domain that has moved is its new one."""
        return self._owners.get(owner, owner)

    def knows(self, owner: str) -> bool:
        """Tell whether somebody in the world has this domain or id."""
        return owner in self.decoys


def _key(owner: str, kind: str, value: str) -> Key:
    return owner, kind, value.lower() if kind == "email" else value


def _count_planted(made: Score, key: Key, planted: Sequence[Record], is_found: bool) -> None:
    disguises = tuple(dict.fromkeys(each["disguise"] for each in planted))
    for tally in made.tallies(key[1], disguises):
        tally.planted += 1
        tally.found += is_found
    if not is_found:
        made.misses.append(Miss(*key, disguises, tuple(dict.fromkeys(each["page"] for each in planted))))


def _count_stored(made: Score, truth: Truth, key: Key, contact: Stored) -> None:
    is_right = key in truth.planted
    if not is_right and key in truth.phones:
        return  # the provider's own number of this business, written where nobody planted it: neither right nor wrong
    for tally in made.tallies(key[1], contact.disguises):
        tally.stored += 1
        tally.right += is_right
    if not is_right:
        made.extras.append(_extra(truth, key, contact))


def _extra(truth: Truth, key: Key, contact: Stored) -> Extra:
    for decoy in truth.decoys.get(key[0], ()):
        if is_decoy(contact, decoy["value"]):
            return Extra(contact, decoy["what"], is_decoy=True)
    if not truth.knows(key[0]):
        return Extra(contact, NO_SUCH_OWNER)
    return Extra(contact, ANOTHERS if key[1:] in truth.values else NOT_PLANTED)


def is_decoy(contact: Stored, decoy: str) -> bool:
    """Tell whether a contact was made out of a decoy, in part or normalised too."""
    value, decoy = contact.value.lower(), decoy.lower()
    if contact.kind == "phone":
        ours, theirs = (_digits(text) for text in (value, decoy))
        return len(theirs) >= _LEAST_DIGITS and (ours in theirs or theirs in ours or ours[-_LEAST_DIGITS:] in theirs)
    return value == decoy or (contact.kind == "social" and decoy.startswith(value))


def _digits(text: str) -> str:
    return "".join(filter(str.isdecimal, text))


def explain(misses: Iterable[Miss], fates: Mapping[tuple[str, str], Fate]) -> list[Miss]:
    """Say why each contact was missed, from what became of its owner (page "") and of its pages."""
    return [replace(miss, why=_why(miss, fates)) for miss in misses]


def _why(miss: Miss, fates: Mapping[tuple[str, str], Fate]) -> str:
    owner = fates.get((miss.owner, ""))
    if owner is None:
        return NOT_REACHED
    pages = [fate for page in miss.pages if (fate := fates.get((miss.owner, page)))]
    if any(page.status == "Completed" for page in pages):
        return HIDDEN if miss.disguises == ("hidden",) else NOT_RECOGNISED
    if owner.status != "Completed" or not pages:
        return _word(owner) if owner.status != "Completed" else NOT_STORED
    return _word(pages[0])


def _word(fate: Fate) -> str:
    if fate.status in ("Queued", "Processing"):
        return STILL_OPEN
    return fate.reason or NOT_REACHED
