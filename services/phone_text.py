"""Phone text: the runs of digits in a text that are phones, and not dates, prices, coordinates or other numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from services.phone_number import NORTH_AMERICA, digits_of, international, national
from services.phone_words import FAX_WORD, OTHER_WORD, PHONE_WORD

# Reading a number costs some tens of microseconds; a page with more of them is a table of something else.
MOST_READ = 2_000
MOST_RUNS = 10_000
LABEL_BEFORE = 48
OTHER_BEFORE = 26

_DASH = "\u2010-\u2015\u2212-"
# Bounded, so that a run costs no more than its length times a constant.
_RUN = re.compile(rf"[0-9][0-9 ()./\[\]\u00b7{_DASH}]{{4,46}}[0-9]")
_FRONT = re.compile(r"(?:\( ?\+ ?\(?|\+ ?\(?|[(\[]{1,2} {0,4})\Z")
_VANITY = re.compile(r"8(?:00|88|77|66|55|44|33)\)?[ .-](?=[\w-]{7,12}(?!\w))([A-Z0-9-]{7,12})")
_BEFORE_VANITY = re.compile(r"(?:\A|[^\w-])(?:1[ .-])?\(?\Z")
_NANP = re.compile(
    r"(?<!\d)(?:\+?1[ .-]{0,2})?(?:[(\[] ?)?([2-9]\d\d)(?: ?[)\]])?[ ./·-]{0,3}([2-9]\d\d)[ .·-]{0,3}(\d{4})(?!\d)"
)
_DATE = re.compile(
    r"(?:19|20)\d\d[-./ ](?:0?\d|1[0-2])[-./ ][0-3]?\d|[0-3]?\d[-./ ][0-3]?\d[-./ ](?:19|20)\d\d|"
    r"(?:19|20)\d\d ?[-/] ?(?:19|20)\d\d"
)
_DECIMAL = re.compile(r"\d{1,3}\.\d{4,}|\d+\.\d\d|\d{1,3}(?:\.\d{3})+")
# Postcodes with their second half, the numbers of further pages, and lists of codes.
_LISTED = re.compile(
    r"[1-9]\d{4}-\d{3,4}|\d{5}-000|(?:\d {1,3}){4,}\d[\d .]*|\d{3}(?:/\d{3}){2,}|\d{4}(?: ?/ ?\d{4}){2,}"
)
_OCTETS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_UNIT = re.compile(r" ?(?:%|€|\$|£|zł|eur\b|usd\b|gbp\b|chf\b|kg\b|km\b|mm\b|cm\b|px\b|sq\b|m²|°)", re.IGNORECASE)
# What the number before was: "555-0100 (toll free)", "555-0100 tel |".
_SAID_BEHIND = re.compile(r" {0,2}(?:\([^()\n]{1,30}\)|[a-zA-Z]{2,9} ?[|\u2022])")
_FAX_IN_BRACKETS = re.compile(r" ?\( ?(?:fax|faks|telefax) ?\)", re.IGNORECASE)
_FAX_BEHIND = re.compile(r" ?\(? ?(?:fax|faks|telefax) ?(?:[)|\u2022\n]|$)", re.IGNORECASE)
_SPLIT = re.compile(r" ?/ ?| - | (?=[(+])|(?<=\d)(?=[(+])|(?<=\d\d\d\d) {1,3}(?=\d)")
# A country's code without its plus: (86) 21-5175-8787. In North America that would be no area.
_BRACKETED_CODE = re.compile(r"\( ?(?:[2-9]\d|[2-9]\d\d(?=\D+\d[\d ./-]{9})) ?\)")
_BRAZILIAN = re.compile(r"\(0 ?xx ?(?=\d\d\))", re.IGNORECASE)
_STUCK = frozenset("$€£=@_")
# Letters behind a number make it a code, unless a word or an extension begins there: 555-0100Fax, 555-0100x12.
_GOES_ON = re.compile(r"(?!x ?\d|ext|[Ee]-?[Mm]ail)(?:[^\W\d_A-Z]|[A-Z](?![a-z]))")
_KEYS = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "22233344455566677778889999")
_DASHES = re.compile(f"[{_DASH}]")


@dataclass(frozen=True, slots=True)
class SeenPhone:
    """A number as E.164, where it stands in its text, and whether it is a fax."""

    number: str
    start: int
    end: int
    is_fax: bool


def label_before(text: str, place: int, after: int = 0) -> str:
    """Say what the words before a place announce: phone, fax, both, other or nothing.

    The nearest word counts. `after` is where the last number ended: a label belongs to what follows it only once,
    unless numbers are listed behind it.
    """
    window = text[max(after, place - LABEL_BEFORE, 0) : place]
    if after >= place - LABEL_BEFORE and (behind := _SAID_BEHIND.match(window)):
        window = window[behind.end() :]
    lines = window.rsplit("\n", 2)
    near = "\n".join(lines[-2:]) if len(lines[-1].strip()) < 3 else lines[-1]
    fax, phone, other = (_last(word, near) for word in (FAX_WORD, PHONE_WORD, OTHER_WORD))
    if other > max(fax, phone) and "\n" not in near[other:] and len(near) - other <= OTHER_BEFORE:
        return "other"
    if max(fax, phone) < 0:
        return ""
    if min(fax, phone) >= 0 and re.fullmatch(
        r"[\s:./&+|,-]*(?:and|und|et|y|e|en|i|or)?[\s/&+|,-]*", _between(near, fax, phone)
    ):
        return "both"
    return "fax" if fax > phone else "phone"


def _last(word: re.Pattern[str], text: str) -> int:
    place = -1
    for found in word.finditer(text):
        place = found.start()
    return place


def _between(text: str, one: int, other: int) -> str:
    """Give what stands between two words, without the first of them."""
    first, second = sorted((one, other))
    return re.sub(r"^\w+", "", text[first:second])


def phones(text: str, region: str, others: Callable[[], Sequence[str]]) -> Iterator[SeenPhone]:
    """Find the phones of a text. `others` names further regions, asked for only when the first one does not fit."""
    # "(0xx11)" leaves the carrier's two digits open; its place is kept, so that all places stay as they are.
    text = _BRAZILIAN.sub(lambda found: "(".ljust(len(found[0])), text)
    reader = _Reader(text, region, others)
    for run in _RUN.finditer(text):
        if reader.reads >= MOST_READ or reader.runs >= MOST_RUNS:
            break
        front = _FRONT.search(text, max(0, run.start() - 6), run.start())
        reader.runs += 1
        if front or sum(map(str.isdigit, run[0])) > 6:
            yield from reader.run(front.start() if front else run.start(), run.end())
    yield from _vanities(text, region)


def _vanities(text: str, region: str) -> Iterator[SeenPhone]:
    """Find numbers that are words: 1-800-FLOWERS."""
    if region not in NORTH_AMERICA:
        return
    for count, found in enumerate(_VANITY.finditer(text)):
        if count >= MOST_READ:
            return
        before = text[max(0, found.start() - 4) : found.start()]
        if sum(map(str.isalpha, found[1])) < 3 or not _BEFORE_VANITY.search(before):
            continue
        digits = digits_of(found[0].translate(_KEYS)).removeprefix("1")
        number = national(digits[:10], region)
        if number and len(digits) >= 10:
            yield SeenPhone(number, found.start(), found.end(), is_fax=False)


class _Reader:
    """Reads the runs of one text, one after the other."""

    def __init__(self, text: str, region: str, others: Callable[[], Sequence[str]]) -> None:
        self.text, self.region, self.others = text, region, others
        self.reads = self.runs = 0
        self.last_end = 0
        self.last_fax = False

    def run(self, start: int, end: int) -> Iterator[SeenPhone]:
        before = self.text[start - 1 : start]
        if before.isalnum() or before in _STUCK or _GOES_ON.match(self.text, end):
            return
        label = label_before(self.text, start, self.last_end)
        if label == "other" or (label not in ("phone", "fax", "both") and self.is_measure(start, end)):
            return
        for number, at, until in self.numbers(start, end, is_labelled=label != ""):
            behind = _FAX_BEHIND if label == "" else _FAX_IN_BRACKETS
            is_fax = label == "fax" or behind.match(self.text, until) is not None
            if label == "" and self.last_fax and re.fullmatch(r"[ ,/;|&-]{1,4}", self.text[self.last_end : at]):
                is_fax = True
            self.last_end, self.last_fax = until, is_fax
            yield SeenPhone(number, at, until, is_fax)

    def is_measure(self, start: int, end: int) -> bool:
        """Tell whether an unlabelled run is cut out of a longer number, or counts something."""
        around = self.text[start - 2 : start]
        inside_number = around[-1:] in (",", ".", ":") and around[:1].isdigit()
        return inside_number or around[-1:] in ("/", "-") or _UNIT.match(self.text, end) is not None

    def numbers(self, start: int, end: int, *, is_labelled: bool) -> Iterator[tuple[str, int, int]]:
        """Read a run as one number, or as several that stand beside one another."""
        written = self.text[start:end]
        whole = self.number(written, is_labelled=is_labelled)
        if whole:
            yield whole, start, end
            return
        if self.region in NORTH_AMERICA:
            found = list(self.north_american(written, start))
            yield from found
            if found:
                return
        at = 0
        pieces = [*_SPLIT.finditer(written), None]
        for split in pieces if len(pieces) > 1 else ():
            piece = written[at : split.start() if split else len(written)]
            number = self.number(piece, is_labelled=is_labelled)
            if number:
                yield number, start + at, start + at + len(piece)
            at = split.end() if split else at

    def north_american(self, written: str, start: int) -> Iterator[tuple[str, int, int]]:
        for found in _NANP.finditer(_DASHES.sub("-", written)):
            self.reads += 1
            number = national("".join(found.groups()), self.region) if found[0].strip("()").isdigit() is False else None
            if number:
                yield number, start + found.start(), start + found.end()

    def number(self, written: str, *, is_labelled: bool) -> str | None:
        """Read one number, in the first region that has it."""
        written = _DASHES.sub("-", written).strip(" ./-")
        digits = digits_of(written)
        if not 6 <= len(digits) <= 17 or _is_no_phone(written, is_labelled=is_labelled):
            return None
        self.reads += 1
        if "+" in written or digits.startswith("00"):
            return international(written) if written.count("+") < 2 else None
        if digits.startswith("011") and len(digits) > 11 and self.region in NORTH_AMERICA:
            return international(written)
        if written.isdigit() and not is_labelled:
            return None
        return self.in_regions(written, is_labelled=is_labelled)

    def in_regions(self, written: str, *, is_labelled: bool) -> str | None:
        if is_labelled and _BRACKETED_CODE.match(written):
            return international("+" + written)
        found = national(written, self.region)
        if found and _is_written_so(written, self.region, is_labelled=is_labelled):
            return found
        if not is_labelled and len(digits_of(written)) < 8:
            return None
        elsewhere = (national(written, region) for region in self.others() if region not in NORTH_AMERICA)
        return next(filter(None, elsewhere), None) or self.in_north_america(written)

    def in_north_america(self, written: str) -> str | None:
        """Read a number that is grouped as nowhere else, on a page that seems to be from elsewhere."""
        is_shaped = self.region not in NORTH_AMERICA and _NANP.fullmatch(written) and re.search(r"\d-\d{4}$", written)
        return national(written, "US") if is_shaped else None


def _is_no_phone(written: str, *, is_labelled: bool) -> bool:
    if _DATE.fullmatch(written):
        return True
    if is_labelled:
        return False
    if _OCTETS.fullmatch(written) and all(int(part) < 256 for part in written.split(".")):
        return True
    is_other = _DECIMAL.fullmatch(written) or _LISTED.fullmatch(written)
    return is_other is not None or len(set(digits_of(written))) < 3


def _is_written_so(written: str, region: str, *, is_labelled: bool) -> bool:
    """Tell whether a run without a label is grouped as the region's phones are."""
    if region not in NORTH_AMERICA or is_labelled:
        return True
    return _NANP.fullmatch(written) is not None
