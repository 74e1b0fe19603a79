"""Live parts: drawn anew when they have changed, once for all who look, and never again when nobody does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from uuid import uuid4

import psycopg
import pytest

from accounts.caller import ROLE_SCOPES, Caller
from api import stream
from dashboard import live, proof
from errors import NotFound

TENANT = uuid4()


class Scene:
    """Something to look at, which counts how often that was done."""

    def __init__(self) -> None:
        self.says, self.looks = "first", 0
        self.seconds = 0.0
        self.fault: Exception | None = None

    def look(self) -> dict[str, object]:
        self.looks += 1
        time.sleep(self.seconds)
        if self.fault is not None:
            raise self.fault
        return {"says": self.says, "kind": "good"}


@pytest.fixture
def scene() -> Scene:
    return Scene()


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A second of the product is a hundredth of one here."""
    monkeypatch.setattr(live, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(live, "BEAT_SECONDS", 0.05)
    yield
    assert live._drawings == {} or all(task.done() for task in live._drawings.values())


def person(role: str = "viewer") -> Caller:
    return Caller(TENANT, uuid4(), role, ROLE_SCOPES[role], session_id=uuid4())


def events(scene: Scene, caller: Caller | None = None, template: str = "parts/note.html") -> AsyncIterator[str]:
    made = live.follow(caller or person(), "a subject", template, scene.look)
    return made.body_iterator  # type: ignore[return-value]


async def heard(source: AsyncIterator[str], wanted: Callable[[str], bool]) -> str:
    """Listen until something wanted comes."""
    async with asyncio.timeout(20):
        async for event in source:
            if wanted(event):
                return event
    raise AssertionError("the stream has ended")


def drawn(event: str) -> bool:
    return event.startswith("event: drawn\n")


def run(story: Callable[[], object]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def test_what_has_changed_is_drawn_and_what_has_not_is_only_alive(scene: Scene) -> None:
    async def story() -> None:
        source = events(scene)
        assert "first" in await heard(source, drawn)
        assert await heard(source, lambda event: True) == "event: beat\ndata: alive\n\n"
        scene.says = "second"
        assert "second" in await heard(source, drawn)
        await source.aclose()  # type: ignore[attr-defined]

    run(story)


def test_all_who_look_at_the_same_share_its_drawings(scene: Scene) -> None:
    async def story() -> None:
        everybody = [events(scene) for _ in range(20)]
        for source in everybody:
            await heard(source, drawn)
        before = scene.looks
        scene.says = "second"
        await asyncio.gather(*(heard(source, drawn) for source in everybody))
        assert scene.looks - before <= 5  # not twenty each
        for source in everybody:
            await source.aclose()  # type: ignore[attr-defined]

    run(story)


def test_a_drawing_that_has_just_ended_is_not_taken_again(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who took it again and again would never let the loop go on, and the whole server would stand still."""
    monkeypatch.setattr(live, "LONGEST_SECONDS", 5)

    async def story() -> None:
        source = events(scene)
        await heard(source, drawn)
        picture = live.Picture((TENANT, "viewer"), "parts/note.html a subject", lambda: "first")
        ended = asyncio.create_task(live._draw(picture))
        await ended
        live._drawings[picture] = ended
        scene.says = "second"
        assert "second" in await heard(source, drawn)
        await source.aclose()  # type: ignore[attr-defined]

    run(story)


def test_nothing_is_drawn_while_nobody_looks(scene: Scene) -> None:
    async def story() -> None:
        source = events(scene)
        await heard(source, drawn)
        await source.aclose()  # type: ignore[attr-defined]
        await asyncio.gather(*live._drawings.values())
        before = scene.looks
        await asyncio.sleep(0.1)
        assert scene.looks == before

    run(story)


def test_roles_and_tenants_have_drawings_of_their_own() -> None:
    def picture(caller: Caller, subject: str = "x") -> live.Picture:
        return live.Picture((caller.tenant_id, caller.role), subject, str)

    mine, stranger = person(), Caller(uuid4(), uuid4(), "viewer", ROLE_SCOPES["viewer"])
    assert picture(mine) == picture(person())
    assert len({picture(mine), picture(stranger), picture(person("admin")), picture(mine, "y")}) == 4


def test_a_drawing_holds_no_proof_of_anybodys_log_in(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def noted(session_id: object) -> str:
        seen.append(session_id)
        return "a proof"

    monkeypatch.setattr(proof, "of_session", noted)

    async def story() -> None:
        source = events(scene)
        await heard(source, drawn)
        await source.aclose()  # type: ignore[attr-defined]

    run(story)
    assert seen == []


def test_what_is_gone_ends_the_stream(scene: Scene) -> None:
    async def story() -> None:
        source = events(scene)
        await heard(source, drawn)
        scene.fault = NotFound("It is gone.")
        async with asyncio.timeout(20):
            assert [event async for event in source if drawn(event)] == []

    run(story)


def test_a_database_that_does_not_answer_is_waited_for(scene: Scene) -> None:
    async def story() -> None:
        scene.fault = psycopg.OperationalError("the connection was refused")
        source = events(scene)
        await heard(source, lambda event: event.startswith(": nothing is known"))
        scene.fault = None
        assert "first" in await heard(source, drawn)
        scene.fault = psycopg.OperationalError("gone again")
        await heard(source, lambda event: event.startswith(": nothing is known"))
        await source.aclose()  # type: ignore[attr-defined]

    run(story)


def test_what_costs_more_is_drawn_less_often(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    really = asyncio.sleep

    async def noted(seconds: float) -> None:
        pauses.append(seconds)
        await really(0.01)

    async def story() -> None:
        scene.seconds = 0.2
        source = events(scene)
        await heard(source, drawn)
        monkeypatch.setattr(asyncio, "sleep", noted)
        scene.says = "second"
        await heard(source, drawn)
        await source.aclose()  # type: ignore[attr-defined]

    run(story)
    assert max(pauses) >= 0.2 / stream.SHARE_OF_TIME


def test_the_end_of_the_server_ends_the_stream(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        source = events(scene)
        await heard(source, drawn)
        monkeypatch.setattr(live, "is_ending", lambda: True)
        async with asyncio.timeout(20):
            assert [event async for event in source] == []

    run(story)


def test_after_some_minutes_it_is_asked_again_who_looks(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LONGEST_SECONDS", 0.1)

    async def story() -> None:
        async with asyncio.timeout(20):
            assert [event for event in [each async for each in events(scene)] if drawn(event)] != []

    run(story)


def test_no_line_of_what_is_drawn_can_be_taken_for_another_event(scene: Scene) -> None:
    """Browsers end a line at \\r, \\n and both; Python's splitlines knows more, which does no harm."""

    async def story() -> None:
        for end in ("\n", "\r", "\r\n", "\x0b", "\u2028"):
            scene.says = f"a{end}event: beat{end}data: evil{end}{end}event: drawn"
            event = await heard(events(scene), drawn)
            assert all(line.startswith("data: ") for line in event.splitlines()[1:-1] if line)

    run(story)
