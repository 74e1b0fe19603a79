"""WebhookDelivery → receiver: sign the message and post it; what does not arrive is sent again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy.orm import Session

import reasons
from errors import Final, Passing, Trouble
from fetching.push import Pushed, push
from models import WebhookDelivery
from notices import message, receiver
from pipeline.declare import stage
from pipeline.stage import Done, Snapshot, Turn
from services.webhook_signature import signed_headers

GONE, TOO_MANY_REQUESTS = 410, 429
# Anything else may be put right within the hour: a name, a certificate, a server that answers nonsense.
WILL_NOT_CHANGE = (reasons.UNSAFE_ADDRESS, reasons.BAD_URL)


def keep(session: Session, turn: Turn, done: Done) -> None:
    """Note that the message has arrived, or tell its webhook nothing more."""
    pushed: Pushed = done.value
    if pushed.is_taken:
        receiver.note_arrival(session, turn.entity_id)
    elif pushed.status == GONE:
        receiver.switch_off(session, turn.entity_id)


@stage(
    entity=WebhookDelivery,
    lane="host",
    save=keep,
    attempts=4,
    back_off=timedelta(minutes=5),
    time_limit=timedelta(seconds=60),
    sweep_defaults={"interval_minutes": 1, "batch_size": 50, "max_instances": 1},
)
def webhook_delivery(delivery: Snapshot, _turn: Turn) -> Done:
    """Send one message; whoever receives it twice knows it by its id."""
    to = receiver.find(delivery.webhook_id)
    body = message.body_of(delivery)
    headers = signed_headers(to.secrets, message.id_of(delivery), int(time.time()), body)
    pushed = _push(to.url, body, [("Content-Type", "application/json"), *headers])
    receiver.note_answer(delivery.id, pushed.status)
    if not pushed.is_taken:
        raise _trouble(pushed)
    return Done(value=pushed)


def _push(url: str, body: bytes, headers: Sequence[tuple[str, str]]) -> Pushed:
    try:
        return push(url, body, headers)
    except Final as fault:
        if fault.reason in WILL_NOT_CHANGE:
            raise
        raise Passing(fault.reason, fault.error, seconds=fault.seconds) from fault


def _trouble(pushed: Pushed) -> Trouble:
    said = f"HTTP {pushed.status}"
    if pushed.status == GONE:
        return Final(reasons.RECEIVER_GONE, said, status=GONE, seconds=pushed.seconds, value=pushed)
    word = reasons.SERVER_ERROR if pushed.status >= 500 else reasons.RECEIVER_REFUSED
    word = reasons.RATE_LIMITED if pushed.status == TOO_MANY_REQUESTS else word
    return Passing(word, said, status=pushed.status, retry_after=pushed.retry_after, seconds=pushed.seconds)
