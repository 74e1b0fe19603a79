"""stage.failing: the installation's own tenant hears of each alarm about a stage, once for each time it begins."""

from __future__ import annotations

import pytest

from errors import BadInput
from notices import webhooks
from tests.notices.office import Office
from tests.notices.receiver import Receiver

RING = """
INSERT INTO alarms (name, subject, says) VALUES (%s, %s, 'look at it') ON CONFLICT (name, subject)
DO UPDATE SET began_at = clock_timestamp()"""


@pytest.fixture(autouse=True)
def _no_alarms(office: Office) -> None:
    office.scene.execute("DELETE FROM alarms")


def test_an_alarm_about_a_stage_is_told_once_for_each_beginning(office: Office, receiver: Receiver) -> None:
    office.webhook("stage.failing")
    office.scene.execute(RING, "error-rate", "deep_scan")
    office.tell()
    office.tell()
    (message,) = receiver.heard
    assert message.type == "stage.failing"
    told = {name: message.data[name] for name in ("alarm", "stage", "says")}
    assert told == {"alarm": "error-rate", "stage": "deep_scan", "says": "look at it"}
    office.scene.execute(RING, "error-rate", "deep_scan")
    office.tell()
    assert len(receiver.heard) == 2


def test_other_alarms_and_earlier_ones_are_not_told(office: Office, receiver: Receiver) -> None:
    office.scene.execute(RING, "error-rate", "deep_scan")
    office.webhook("stage.failing")
    office.scene.execute(RING, "budget-spent", "search 7")
    office.tell()
    assert receiver.heard == []


def test_another_tenant_cannot_ask_for_it_and_is_not_told(office: Office, receiver: Receiver) -> None:
    stranger = office.stranger()
    with pytest.raises(BadInput, match="whole installation"):
        office.webhook("stage.failing", caller=stranger)
    sneaky = office.webhook("contact.found", caller=stranger)
    with pytest.raises(BadInput, match="whole installation"):
        webhooks.change(stranger, sneaky["id"], {"events": ["stage.failing"]})
    office.scene.execute("UPDATE webhooks SET events = '[\"stage.failing\"]'")
    office.scene.execute(RING, "error-rate", "deep_scan")
    office.tell()
    assert receiver.heard == []
