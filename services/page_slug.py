"""Page slug: what one name in an address says about its page."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from services.page_words import TABLE

LONGEST_SLUG = 200
MOST_WORDS = 6  # a longer name is a headline
LONGEST_PHRASE = 4
ENDING = re.compile(r"\.(?:[sxdp]?html?|php\d?|aspx?|jspx?|cfm|cgi|pl|do|action|page|nsf|mvc)$", re.IGNORECASE)

# They change nothing about what the words around them mean.
FILLERS = frozenset(
    (  # noqa: SIM905
        "a ag al an and as at co com das de del der des di die do du e ein el en et for from fur gmbh i il in inc info "
        "kg l la las le les llc lo los ltd me my nas nase nasi nasz nasza nasze nos nossa nossas nosso nossos nostra "
        "nostre nostri nostro notre nous nuestra nuestras nuestro nuestros o of on ons onze os our page pagina para "
        "pour seite sie site sur the to u und uns unser unsere us van vara vart von voor vores votre w we web with "
        "www y your z zu zum"
    ).split()
)
# They hold a word of the table and mean something else.
MISLEADING = """
contact lens, contact lenses, contact sports, contact dermatitis, contactless, contact tracing, contact center
kontaktlinsen, kontaktlinse, kontaktallergie, lentilles de contact, lentes de contacto, lenti a contatto, contactlenzen
lentes de contato, soczewki kontaktowe, team building, teambuilding, team sports, about face, support groups
location de voiture, location voiture, location vacances, staffing, staff augmentation, company formation, company law
family history, history of, legal services, legal advice, legal aid, privacy fence, privacy fences, privacy screens
privacy glass, privacy film, property management, pain management, weight management, wealth management
risk management, case management, waste management, project management, anger management, facility management
facilities management, asset management, board games, board up, home health, home care, home improvement
home inspection, home insurance, home loans, home remodeling, home security, home services, press brake, service dogs
video production, photo booth, media buying, product liability, thank you, danke, merci, gracias, grazie, obrigado
"""
# Words that are joined to others without a gap, as German and Dutch do.
STEMS = ("kontakt", "impressum", "contact", "contatt", "standort", "ueberuns", "uberuns", "aboutus", "datenschutz")
# Of the words that count, so much must be the phrase: "company" alone says little in plumbing-company-austin.
SHARE = {"contact": 0.33, "legal": 0.33, "careers": 0.33, "home": 2.0}
USUAL_SHARE = 0.5

_WORDS = re.compile(r"[^\W_]+")
_OTHER_LETTERS = str.maketrans(
    {"ß": "ss", "ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "\N{LATIN SMALL LETTER DOTLESS I}": "i"}
)


class Guess(NamedTuple):
    """What one name says: `is_whole` when it says nothing else."""

    kind: str
    chance: float
    is_whole: bool


def words(slug: str) -> list[str]:
    """Cut a name into its words, without accents, file ending and trailing numbers."""
    slug = slug[:LONGEST_SLUG]
    if "." in slug:
        slug = ENDING.sub("", slug)
    if "%" in slug:
        slug = unquote(slug, errors="replace")
    slug = slug.lower()
    if slug.startswith("xn--"):
        slug = _from_punycode(slug[4:])
    if not slug.isascii():
        plain = unicodedata.normalize("NFKD", slug.translate(_OTHER_LETTERS))
        slug = "".join(letter for letter in plain if not unicodedata.combining(letter))
    found = _WORDS.findall(slug)
    while len(found) > 1 and found[-1].isdigit():
        found.pop()
    return found


def _from_punycode(slug: str) -> str:
    try:
        return slug.encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        return slug


def _by_phrase() -> dict[str, Guess]:
    """Lay the table out by phrase, joined and in words."""
    found: dict[str, Guess] = {}
    for line in TABLE.strip().splitlines():
        kind, chance, _, phrases = line.split(maxsplit=3)
        for phrase in phrases.split(","):
            parts = words(phrase.strip())
            for key in ("".join(parts), " ".join(parts)):
                found.setdefault(key, Guess(kind, float(chance), True))
    return found


_PHRASES = _by_phrase()
_FIRST_WORDS = frozenset(phrase.partition(" ")[0] for phrase in _PHRASES)
_MISLEADING = tuple(f" {' '.join(words(phrase))} " for phrase in MISLEADING.strip().replace("\n", ",").split(","))
_MISLEADING_WORDS = frozenset(phrase.split()[0] for phrase in _MISLEADING)


@lru_cache(maxsize=4096)
def guess(slug: str) -> Guess | None:
    """Tell what one name of a path says."""
    found = words(slug)
    if not found:
        return None
    whole = _PHRASES.get("".join(found))
    if whole is not None:
        return whole
    if len(found) > MOST_WORDS or (not _MISLEADING_WORDS.isdisjoint(found) and _misleads(found)):
        return None
    counted = [word for word in found if word not in FILLERS]
    whole = _PHRASES.get("".join(counted)) if len(counted) < len(found) else None
    if whole is not None:
        return Guess(whole.kind, whole.chance * 0.95, True)
    within = None if _FIRST_WORDS.isdisjoint(found) else _within(found, max(1, len(counted)))
    return within or _by_stem(found)


def _misleads(found: list[str]) -> bool:
    spoken = f" {' '.join(found)} "
    return any(phrase in spoken for phrase in _MISLEADING)


def _within(found: list[str], counted: int) -> Guess | None:
    """Find the best phrase among other words."""
    best: Guess | None = None
    for start, word in enumerate(found):
        if word not in _FIRST_WORDS:
            continue
        for length in range(LONGEST_PHRASE, 0, -1):
            part = found[start : start + length]
            known = _PHRASES.get(" ".join(part))
            if known is None:
                continue
            share = sum(each not in FILLERS for each in part) / counted
            chance = known.chance * (0.5 + 0.4 * share)
            if share >= SHARE.get(known.kind, USUAL_SHARE) and (best is None or chance > best.chance):
                best = Guess(known.kind, chance, False)
    return best


def _by_stem(found: list[str]) -> Guess | None:
    if len(found) > 2 or not found[0].startswith(STEMS):
        return None
    known = next(_PHRASES[stem] for stem in (*STEMS, "contact") if found[0].startswith(stem) and stem in _PHRASES)
    return Guess(known.kind, known.chance * 0.8, False)
