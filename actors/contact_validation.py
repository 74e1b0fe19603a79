"""Contact → verdict: judge an email or a number by its looks and, where asked to, by what its domain says of mail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from pathlib import Path

from sqlalchemy import func, update
from sqlalchemy.orm import Session

import reasons
from errors import Passing
from models import Contact
from pipeline.declare import stage
from pipeline.stage import Done, Snapshot, Turn
from services.contact_reasons import REASONS
from services.contact_validation import MxAnswer, Verdict, mail_domain, validate
from services.disposable_domains import LISTED, read_domains
from settings import settings

# The weightiest reason of a verdict is stored on the work, so that reports count by it.
reasons.MEANINGS.update({word: reason.meaning for word, reason in REASONS.items()})


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict and the value that it is about."""

    value: str
    verdict: Verdict


def keep(session: Session, turn: Turn, done: Done) -> None:
    """Store the verdict, unless the contact was given another value meanwhile.

    A verdict from before stays when nobody could be asked this time.
    """
    judged: Judged = done.value
    found = update(Contact).where(Contact.id == turn.entity_id, Contact.value == judged.value)
    if not judged.verdict.is_settled:
        found = found.where(Contact.verdict.is_(None))
    told = {"verdict": judged.verdict.verdict, "verdict_reasons": list(judged.verdict.reasons)}
    session.execute(found.values(**told, validated_at=func.now()))


@stage(
    entity=Contact,
    save=keep,
    attempts=8,
    back_off=timedelta(seconds=30),
    time_limit=timedelta(seconds=90),
    sweep_defaults={"interval_minutes": 1, "batch_size": 50, "max_instances": 1},
)
def contact_validation(contact: Snapshot, _turn: Turn) -> Done:
    """Judge the contact; the weightiest reason of the verdict is the work's."""
    verdict = _judge(contact)
    if settings().mx_check == "dns" and verdict.verdict != "invalid":
        verdict = _ask_about_mail(contact, verdict)
    return Done(reason=verdict.reasons[0], value=Judged(contact.value, verdict))


def _judge(contact: Snapshot, mx: MxAnswer | None = None) -> Verdict:
    return validate(contact.kind, contact.value, label=contact.label, mx=mx, disposable=_disposable())


def _ask_about_mail(contact: Snapshot, verdict: Verdict) -> Verdict:
    """Judge again with the answer; what stands when no answer ever comes goes with the failure."""
    from fetching.mx import mx_answers  # its library takes longer to load than all of ours, and few need it

    domain = mail_domain(contact.kind, contact.value)
    if domain is None:
        return verdict
    try:
        return _judge(contact, mx_answers().of(domain))
    except Passing as fault:
        unsettled = Judged(contact.value, _judge(contact, MxAnswer.UNANSWERED))
        raise Passing(fault.reason, fault.error, value=unsettled) from fault


def _disposable() -> frozenset[str]:
    """Give the domains of throw-away addresses, a person's own among them as they are now."""
    path = settings().disposable_domains_file
    if path is None:
        return LISTED
    try:
        return LISTED | _own(path, path.stat().st_mtime_ns)
    except OSError as fault:
        raise Passing(reasons.LIST_UNREADABLE, f"{path}: {fault.strerror}") from fault


@lru_cache(maxsize=1)
def _own(path: Path, _changed_at: int) -> frozenset[str]:
    return read_domains(path.read_text(encoding="utf-8", errors="replace"))
