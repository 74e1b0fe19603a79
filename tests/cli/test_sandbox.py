"""`scrapersky sandbox`: a made-up internet is served, says where, stops cleanly; its truth can be written."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.sandbox import read_latency, read_share
from errors import BadInput
from tests.cli.terminal import PROGRAM, assert_one_sentence, environment, run_here, scrapersky
from tests.sandbox.client import Client


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Run the command until the test ends."""
    options = ["--businesses", "200", "--seed", "4", "--latency", "10ms", "--errors", "50%", "--log", "requests.log"]
    with subprocess.Popen(
        [PROGRAM, "sandbox", "serve", *options],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_serve_says_where_it_listens_and_stops_cleanly(
    serve: subprocess.Popen[str], tmp_path: Path, ending: signal.Signals
) -> None:
    assert serve.stdout is not None
    assert serve.stderr is not None
    said = "".join(serve.stdout.readline() for _ in range(5))
    found = re.search(r"ENVIRONMENT=sandbox SANDBOX_ADDRESS=127\.0\.0\.1:(\d+) ", said)
    assert found
    assert ".example, " in said
    with Client(("127.0.0.1", int(found[1]))) as client:
        assert client.get("/", "nobody.example").status == 404
        serve.send_signal(ending)
        assert serve.wait(30) == 0
    assert serve.stderr.read() == ""
    assert json.loads((tmp_path / "requests.log").read_text())["host"] == "nobody.example"


def test_truth_goes_to_the_output_or_a_file(tmp_path: Path) -> None:
    options = ["sandbox", "truth", "--businesses", "20", "--seed", "2"]
    printed = run_here(*options)
    assert json.loads(printed)
    run_here(*options, "--out", str(tmp_path / "truth.json"))
    assert (tmp_path / "truth.json").read_text() == printed


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["serve", "--latency", "soon"], "--latency 'soon' is no length of time: write it like 200ms or 1.5s."),
        (["serve", "--errors", "200%"], "--errors '200%' is no share: write it like 2% or 0.02, from 0% to 100%."),
        (["serve", "--town", "Atlantis"], "No town 'Atlantis'; there are "),
        (["truth", "--category", "wizard"], "No category 'wizard'; there are "),
        (["truth", "--out", "nowhere/truth.json"], "'nowhere/truth.json' cannot be written (No such file or directory"),
        (["serve", "--log", "nowhere/log"], "'nowhere/log' cannot be written (No such file or directory"),
        (["serve", "--businesses", "0"], "Invalid value for '--businesses'"),
    ],
)
def test_bad_options_are_told_in_one_sentence(tmp_path: Path, options: list[str], sentence: str) -> None:
    result = scrapersky(tmp_path, "sandbox", *options)
    assert_one_sentence(result.returncode, result.stdout, result.stderr, 2)
    assert result.stderr.startswith(sentence)


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        result = scrapersky(tmp_path, "sandbox", "serve", "--port", str(listener.getsockname()[1]))
    assert_one_sentence(result.returncode, result.stdout, result.stderr, 3)
    assert "(Address already in use): choose another --port" in result.stderr


@pytest.mark.parametrize(
    ("text", "seconds"), [("200ms", 0.2), ("1.5s", 1.5), (" 2 S ", 2.0), ("0", 0.0), ("0s", 0.0), ("60s", 60.0)]
)
def test_latency(text: str, seconds: float) -> None:
    assert read_latency(text) == seconds


@pytest.mark.parametrize("text", ["", "5", "-1s", "1e3s", "1h", "nan", "61s", "1.s", "٣s", "999999999999s"])
def test_no_latency(text: str) -> None:
    with pytest.raises(BadInput):
        read_latency(text)


@pytest.mark.parametrize(("text", "share"), [("2%", 0.02), ("0.02", 0.02), ("0", 0.0), ("100 %", 1.0), ("1", 1.0)])
def test_share(text: str, share: float) -> None:
    assert read_share(text) == share


@pytest.mark.parametrize("text", ["", "%", "-2%", "2", "101%", "1.01", "nan", "inf", "2%%"])
def test_no_share(text: str) -> None:
    with pytest.raises(BadInput):
        read_share(text)
