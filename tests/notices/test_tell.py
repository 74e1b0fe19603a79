"""What is new is found out every minute, by a sweeper that people can run by hand."""

from __future__ import annotations

from scheduling.sweeper import sweeper_by_hand
from tests.notices.office import Office
from tests.notices.receiver import Receiver


def test_the_sweeper_tells_and_reports(office: Office, receiver: Receiver) -> None:
    office.webhook()
    office.contact("info@anna.example")
    sweeper = sweeper_by_hand("tell-webhooks")
    assert sweeper.line == "* * * * *"
    told = sweeper.run()
    assert told == {"searches_completed": 0, "contacts_found": 1, "stages_failing": 0, "forgotten": 0}
    office.send()
    assert [message.type for message in receiver.heard] == ["contact.found"]
    job = office.scene.one("SELECT last_result, last_detail FROM jobs WHERE name = 'tell_webhooks'")
    assert (job["last_result"], job["last_detail"]) == ("executed", "contacts found 1")


def test_without_webhooks_there_is_nothing_to_tell(office: Office) -> None:
    office.contact("info@anna.example")
    assert not any(sweeper_by_hand("tell-webhooks").run().values())
