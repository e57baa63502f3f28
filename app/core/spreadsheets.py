"""Lines of CSV, which people open in spreadsheets: those take some texts for formulas, and do what they say."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO

# What a spreadsheet would take for a formula.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def csv_line(cells: Sequence[str]) -> str:
    """Write cells as a line; what would be a formula is kept from being one."""
    line = StringIO()
    csv.writer(line).writerow([f"'{cell}" if cell.startswith(FORMULAS) else cell for cell in cells])
    return line.getvalue()


def plain_cell(cell: str) -> str:
    """Return what a cell said before it was kept from being a formula."""
    cell = cell.strip()
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(FORMULAS) else cell
