#!/usr/bin/env python3
"""annotate.py LEVEL REPORT JUNIT [SOURCE [KNOWN]]

Prints the findings of a report as GitHub's annotations, `::error file=...::`, at SOURCE
(FILE or FILE:LINE) or where the report says that the Python backend is defined, and the problems
with the known differences at their file KNOWN. A finding whose cells are all known, or pass, is
left out. LEVEL is error or warning. Needs only Python.
"""

import json
import os
import sys
import xml.etree.ElementTree

MOST = 10  # that GitHub shows of a step


def escaped(text, more=""):
    for character in "%\r\n" + more:
        text = text.replace(character, "%%%02X" % ord(character))
    return text


def place(source):
    """Returns the file and line of an annotation, relative to the checkout."""
    file, _, line = source.rpartition(":")
    if not line.isdigit():
        file, line = source, ""
    if not file:
        return {}
    root = os.environ.get("GITHUB_WORKSPACE", os.getcwd())
    if os.path.isabs(file):
        file = os.path.relpath(file, root)
    return {"file": file, "line": line} if line else {"file": file}


def annotation(level, title, text, where):
    properties = dict(where, title=title)
    words = ",".join("%s=%s" % (key, escaped(value, ":,")) for key, value in properties.items())
    return "::%s %s::%s" % (level, words, escaped(text))


def shown(value):
    """Returns the code and the number, as the program prints them: "0x40200000 (2.5)"."""
    number = value["value"]
    if "0x" in number:
        number = "%.9g" % float.fromhex(number)
    return "%s (%s)" % (value["bits"], number)


def text_of(finding):
    example = finding.get("example", {})
    lines = ["%d cells, %d elements" % (len(finding["cells"]), finding["elements"])]
    if "expected" in example:
        operands = ["%s=%s" % (o["name"], shown(o)) for o in example["operands"]]
        lines += [
            "expected %s, actual %s" % (shown(example["expected"]), shown(example["actual"])),
            "of " + " ".join(operands),
        ]
    elif example.get("message"):
        lines.append(example["message"])
    if "replay" in example:
        lines.append("rerun: " + example["replay"])
    return "\n".join(lines)


def main(level, report_path, junit_path, source="", known=""):
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    failing, problems = set(), []
    for case in xml.etree.ElementTree.parse(junit_path).iter("testcase"):
        found = next(iter(case), None)
        if found is None or found.tag == "skipped":
            continue
        if case.get("classname", "").startswith("known_differences."):
            problems.append(found.get("message", ""))
        else:
            failing.add(case.get("name"))
    where = place(source or report["run"]["backend"]["details"].get("source", ""))
    lines = [annotation("error", "known differences", p, place(known)) for p in problems]
    for finding in report["results"].get("findings", []):
        if failing.intersection(finding["cells"]):
            lines.append(annotation(level, finding["finding"], text_of(finding), where))
    print("\n".join(lines[:MOST]))
    if len(lines) > MOST:
        print("%d more are on the job's page" % (len(lines) - MOST))


if __name__ == "__main__":
    main(*sys.argv[1:])
