"""The form that brings a list: a file or pasted lines, what its rows are, and which column is which field."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, BinaryIO, Literal

from fastapi import File, Form, UploadFile
from pydantic import StringConstraints

from api.batch_bodies import Noun
from api.contract import Text
from errors import BadInput
from pipeline.import_kinds import Kind
from pipeline.import_rows import kind_named
from pipeline.list_file import read_choices

# What a form sends in one field has a limit of its own; longer lists come as files.
LONGEST_PASTED = 200_000
LONGEST_NAME = 200
PASTED = "pasted lines"
NOTHING = "There is no list yet: choose a file, or paste lines."
BOTH = "There are a file and pasted lines: bring one of them, and empty the other."

Pasted = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$", max_length=LONGEST_PASTED)]
Act = Literal["preview", "bring"]
Header = Literal["", "yes", "no"]
HEADERS: Mapping[Header, bool | None] = {"": None, "yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody brings, and how it is to be read."""

    act: Act = "preview"
    noun: str = "businesses"
    pasted: str = ""
    file: UploadFile | None = None
    called: str = ""
    starts_now: bool = True
    columns: tuple[str, ...] = ()
    header: Header = ""
    sheet: str | None = None

    @property
    def kind(self) -> Kind:
        """The kind of list."""
        return kind_named(self.noun)

    @property
    def name(self) -> str:
        """What the batch is called: as was typed, or by its file."""
        name = self.called.strip() or (self.file.filename if self.file else None) or PASTED
        return name.replace("\x00", "")[:LONGEST_NAME]

    @property
    def chosen(self) -> dict[str, str]:
        """Which column was chosen for which field."""
        return read_choices(self.columns)

    @property
    def has_header(self) -> bool | None:
        """Whether the first row is a header; None where that is to be found out."""
        return HEADERS[self.header]

    def open(self) -> BinaryIO:
        """Give the list itself, or say that there is none."""
        if self.file and self.pasted.strip():
            raise BadInput(BOTH)
        if self.file:
            return self.file.file
        if not self.pasted.strip():
            raise BadInput(NOTHING)
        return io.BytesIO(self.pasted.encode())


def read_form(
    kind: Annotated[Noun, Form()],
    act: Annotated[Act, Form()] = "preview",
    rows: Annotated[Pasted, Form()] = "",
    file: Annotated[UploadFile | None, File()] = None,
    name: Annotated[Text, Form(max_length=LONGEST_NAME)] = "",
    start: Annotated[Literal["now", "later"], Form()] = "now",
    column: Annotated[list[Text], Form(max_length=50)] = [],  # noqa: B006 - never changed
    header: Annotated[Header, Form()] = "",
    sheet: Annotated[Text, Form()] = "",
) -> Given:
    """Read what the form sent; a browser sends a nameless file where none was chosen."""
    return Given(
        act=act,
        noun=kind,
        pasted=rows,
        file=file if file is not None and file.filename else None,
        called=name,
        starts_now=start == "now",
        columns=tuple(text for text in column if text),
        header=header,
        sheet=sheet or None,
    )
