"""Page forms: whether visitors can write to the business from a page, and not only search, log in or subscribe."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest

from services.contacts_page import Element, ReadPage

MOST_FORMS = 200
MOST_FIELDS = 500  # of one form
LONGEST_WORDS = 400

# A form with one of these is for something else, whatever its fields are.
_OTHER_FORM = re.compile(
    r"search|log-?_?in|sign-?_?in|sign-?_?up|register|newsletter|subscri|mc4wp|mailchimp|list-manage|comment|review"
    r"|checkout|cart|lost-?password|poll|filter|reblog|share|tell-?_?a-?_?friend|recommend",
    re.IGNORECASE,
)
# Words that tell a form for messages, even where one of the others stands beside it.
_CONTACT_FORM = re.compile(r"contact|kontakt|contato|enquir|inquir|anfrage|feedback|message|quote|wpcf7", re.IGNORECASE)
_NAME = re.compile(r"name|nom\b|nombre|nome|naam|imi[eę]|first|last", re.IGNORECASE)
_EMAIL = re.compile(r"e-?mail|courriel|correo", re.IGNORECASE)
_MESSAGE = re.compile(
    r"message|nachricht|mensaje|mensagem|messaggio|bericht|wiadomo|comment|question|inquir|enquir|subject|betreff"
    r"|phone|telefon|tel\b",
    re.IGNORECASE,
)
# Forms of other makers, by the class or the attribute that their scripts look for.
_MADE_ELSEWHERE = re.compile(
    r"(?<![\w-])(?:gform_wrapper|nf-form-cont|ninja-forms-form-wrap|wpforms-container|wpcf7|hs-form-frame|hbspt-form"
    r"|typeform-widget|jotform-form|fluentform|formidable|frm_forms|forminator-ui)(?![\w])"
)
_MARKED = frozenset(("data-tf-live", "data-tf-widget", "data-tf-popup", "data-jotform"))
_FRAMED = re.compile(
    r"//(?:[\w-]+\.)?(?:docs\.google\.com/forms|forms\.gle|typeform\.com|(?:form\.)?jotform(?:eu)?\.com"
    r"|hsforms\.(?:com|net)|share\.hsforms\.com|wufoo\.com|formstack\.com|cognitoforms\.com|123formbuilder\.com"
    r"|forms\.office\.com|paperform\.co|tally\.so)/",
    re.IGNORECASE,
)
_WRITTEN_BY_SCRIPT = ("hbspt.forms.create", "JotForm.init", "createWidget('https://form.typeform")


def has_contact_form(page: ReadPage) -> bool:
    """Tell whether a page has a form to write to its business with, its own or one that it shows in a frame."""
    return (
        any(_FRAMED.search(address[:LONGEST_WORDS]) for address in page.frames)
        or any(_is_contact_form(form, fields) for form, fields in _forms(page))
        or _is_made_elsewhere(page)
    )


def _forms(page: ReadPage) -> Iterator[tuple[Element, list[Element]]]:
    """Give the forms with their fields; a form that a table tore away from its fields gets those behind it."""
    forms = page.forms[:MOST_FORMS]
    orders = [field.order for field in page.fields]
    for form, following in zip_longest(forms, forms[1:]):
        first, end = bisect_left(orders, form.order), bisect_right(orders, form.last)
        if first == end:
            end = bisect_left(orders, following.order) if following else len(orders)
        yield form, page.fields[first : min(end, first + MOST_FIELDS)]


def _is_contact_form(form: Element, fields: list[Element]) -> bool:
    said = _said(form)
    kinds = [field.get("type").lower() for field in fields]
    if "password" in kinds or "search" in kinds or form.get("role") == "search":
        return False
    if _OTHER_FORM.search(said) and not _CONTACT_FORM.search(said):
        return False
    shown = [field for field, kind in zip(fields, kinds, strict=True) if kind not in ("hidden", "submit", "button")]
    if any(_is_message_box(field) for field in shown):
        return True
    named = [_said(field) for field in shown if field.tag == "input"]
    has_email = any("email" in kind for kind in kinds) or any(map(_EMAIL.search, named))
    others = [words for words in named if not _EMAIL.search(words)]
    has_message = any(map(_MESSAGE.search, others))
    return has_email and has_message and any(map(_NAME.search, others))


def _is_message_box(field: Element) -> bool:
    return field.tag == "textarea" and not field.is_hidden and "recaptcha" not in _said(field)


def _said(element: Element) -> str:
    """Give what the names of an element say about it."""
    names = ("id", "class", "name", "action", "placeholder", "aria-label", "role")
    return " ".join(element.get(name)[:LONGEST_WORDS] for name in names)


def _is_made_elsewhere(page: ReadPage) -> bool:
    """Look for forms that a script fills in; those that stand in the page itself have been judged by their fields."""
    if any(mark in source for _, source in page.scripts for mark in _WRITTEN_BY_SCRIPT):
        return True
    orders = [form.order for form in page.forms]
    holders = (element for element in page.elements if element.attributes and _holds_form(element))
    return any(bisect_left(orders, holder.order) == bisect_right(orders, holder.last) for holder in holders)


def _holds_form(element: Element) -> bool:
    classes = element.attributes.get("class")
    return (classes is not None and _says_form(classes)) or not _MARKED.isdisjoint(element.attributes)


# The same few classes stand on every page of a site.
@lru_cache(maxsize=4096)
def _says_form(classes: str) -> bool:
    return _MADE_ELSEWHERE.search(classes) is not None
