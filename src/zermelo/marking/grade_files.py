"""Marks as files for other programs: Gradescope's results.json, JUnit's XML, and a table in CSV."""

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from zermelo.language import _
from zermelo.marking.marks import Marks

_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def gradescope(marks: Marks) -> str:
    """The results.json of a Gradescope autograder (gradescope-autograders.readthedocs.io/en/latest/specs)."""
    tests = []
    for number, mark in enumerate(marks.marks, 1):
        tests.append(
            {
                "name": f"{mark.group}: {mark.item.title}",
                "number": str(number),
                "score": mark.points,
                "max_score": mark.item.points,
                "status": "passed" if mark.is_full else "failed",
                "output": "\n".join(mark.feedback),
                "output_format": "text",
                "visibility": mark.item.visibility,
            }
        )
    data: dict[str, Any] = {
        "score": marks.points,
        "execution_time": round(marks.seconds),
        "output": marks.reason or marks.rubric.title,
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": tests,
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def junit(all_marks: Sequence[Marks]) -> str:
    """A JUnit file, as GitHub, GitLab and Jenkins read it: a suite for each student, and a test case for each item.

    An item that did not get all its points is a failure; the message says how many it got.
    """
    root = Element("testsuites")
    for marks in all_marks:
        failed = sum(not mark.is_full for mark in marks.marks)
        numbers = {"tests": len(marks.marks), "failures": failed, "errors": 0, "skipped": 0}
        suite = SubElement(root, "testsuite", name=_clean(marks.student), time=f"{marks.seconds:.3f}")
        suite.attrib |= {name: str(number) for name, number in numbers.items()}
        properties = SubElement(suite, "properties")
        for name, value in {"points": marks.points, "of": marks.of}.items():
            SubElement(properties, "property", name=name, value=f"{value:g}")
        for mark in marks.marks:
            name = _clean(f"{mark.group}: {mark.item.title}")
            case = SubElement(suite, "testcase", classname=_clean(marks.student), name=name, time="0")
            points = _("{points:g} of {of:g} points").format(points=mark.points, of=mark.item.points)
            text = _clean("\n".join([points, *mark.feedback]))
            if mark.is_full:
                SubElement(case, "system-out").text = text
            else:
                SubElement(case, "failure", message=_clean(points), type="points").text = text
    for name in ("tests", "failures"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _clean(text: str) -> str:
    """A text without the characters that XML does not allow; a student's program may print any."""
    return _NOT_IN_XML.sub("?", text)


def as_csv(all_marks: Sequence[Marks]) -> str:
    """A table with a line for each student: the points of each group, all points, and why work could not be run."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    groups = all_marks[0].rubric.groups if all_marks else ()
    writer.writerow(["student", *(plain_cell(group.title) for group in groups), "points", "of", "reason"])
    for marks in all_marks:
        points = [f"{marks.in_group(group):g}" for group in groups]
        reason = _one_line(marks.reason or "")
        writer.writerow([plain_cell(marks.student), *points, f"{marks.points:g}", f"{marks.of:g}", plain_cell(reason)])
    return out.getvalue()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def plain_cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula, also where blanks or full-width signs stand before it.

    >>> plain_cell("=1+1"), plain_cell("Ana")
    ("'=1+1", 'Ana')
    """
    return f"'{text}" if text[:1] in ("\t", "\r", "\n") or text.lstrip()[:1] in FORMULAS else text


FORMULAS = tuple(
    "=+-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
)
"""With these, formulas begin in one spreadsheet or another."""
