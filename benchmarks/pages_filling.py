"""What fills the sandbox's small pages up to the length and make of real ones: menus, cards, styles and scripts.

A business's page of 30 kB has some 350 elements, 60 links, kilobytes of script and 3 kB of text. Nothing here looks
like a contact: a plain regex that found a hundred emails on a page would be measured for storing those.
"""

from __future__ import annotations

from random import Random

LENGTH = 30_000

WORDS = (
    "quality", "care", "family", "local", "trusted", "team", "years", "service", "modern", "friendly", "today",
    "garden", "house", "repair", "dental", "kitchen", "summer", "winter", "craft", "honest", "careful", "guests",
)  # fmt: skip
STYLE = (
    ".card-{n}{{display:flex;margin:0 auto {level}px;padding:{n}px 1.5rem;background:#f{level}f{level}f{level}}}"
    "@media (max-width:{n}px){{.card-{n} img{{width:100%;height:auto}}}}\n"
)
SCRIPT = (
    "var theme_{n}={{ajax:'/wp-admin/admin-ajax.php',nonce:'{hash:08x}',slides:{level},autoplay:true,speed:{n}}};"
    "document.querySelectorAll('.card-{n}').forEach(function(card){{card.addEventListener('click',function(event){{"
    "event.preventDefault();window.dataLayer=window.dataLayer||[];dataLayer.push({{event:'card',id:{n}}});}});}});\n"
)
ITEM = (
    '<li id="menu-item-{n}" class="menu-item menu-item-type-post_type menu-item-object-page menu-item-{n}">'
    '<a href="/{a}/{b}-{n}/" class="menu-link elementor-item" data-level="{level}">{A} {b}</a></li>\n'
)
CARD = (
    '<div class="elementor-column col-md-4 card-{n}" data-id="{hash:07x}" data-element_type="column">'
    '<div class="elementor-widget-wrap"><a class="card-link" href="/{a}/{b}/{c}-{n}.html" aria-label="{A} {b}">'
    '<img loading="lazy" decoding="async" width="640" height="427" class="attachment-large wp-image-{n}" '
    'src="/wp-content/uploads/2025/0{level}/{a}-{b}-640x427.jpg" srcset="/wp-content/uploads/2025/0{level}/{a}-{b}-'
    '1024x683.jpg 1024w, /wp-content/uploads/2025/0{level}/{a}-{b}-300x200.jpg 300w" sizes="(max-width: 640px) 100vw" '
    'alt="{A} {b} {c}"></a><h3 class="elementor-heading-title">{A} {b} and {c}</h3>'
    "<p>{B} {c} {a} for every {d}, with {a} and {b} {c} from our {d}. {D} {b} {a}, {c}.</p>"
    '<span class="more"><a href="/{d}/{a}-{n}/">{C} {d} <i class="icon-{b}"></i></a></span></div></div>\n'
)


def filled_up(html: str, name: str) -> str:
    """Bring a page to its length, always in the same way for the same name."""
    dice = Random(name)
    head = f"<style>{_parts(STYLE, dice, 8)}</style>\n<script>{_parts(SCRIPT, dice, 10)}</script>\n"
    menu = f'<nav class="mega"><ul>\n{_parts(ITEM, dice, 30)}</ul></nav>\n'
    html = html.replace("</head>", f"{head}</head>", 1).replace("<main>", f"{menu}<main>", 1)
    cards = ""
    while len(html) + len(cards) < LENGTH:
        cards += _parts(CARD, dice, 1)
    return html.replace("</main>", f'<section class="cards">\n{cards}</section>\n</main>', 1)


def _parts(shape: str, dice: Random, many: int) -> str:
    return "".join(shape.format(**_looks(dice)) for _ in range(many))


def _looks(dice: Random) -> dict[str, object]:
    words: dict[str, object] = dict(zip("abcd", dice.sample(WORDS, 4), strict=True))
    shown: dict[str, object] = {letter.upper(): str(word).capitalize() for letter, word in words.items()}
    numbers: dict[str, object] = {
        "n": dice.randrange(100, 999),
        "level": dice.randrange(1, 10),
        "hash": dice.getrandbits(28),
    }
    return words | shown | numbers
