"""The one way a start goes wrong: a sentence for the person who typed the command."""

from __future__ import annotations

from collections.abc import Sequence


class StartFailure(Exception):
    """Something the site cannot start with, said in a sentence, with the log lines that show it."""

    def __init__(self, sentence: str, log_lines: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.log_lines = list(log_lines)
