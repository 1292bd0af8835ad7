# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of this directory and writes a report for each module that scripts/test-report reads.

run.py REPORTS PATTERN [GO-ON]: tests in files that match PATTERN; ends with 1 where one failed, unless GO-ON is true. What is left out is said.
"""

import fnmatch
import os
import sys
import time
import unittest
from xml.sax.saxutils import quoteattr

OWN = os.path.dirname(os.path.abspath(__file__))
# another module's tests run by this too: their directory, and the name that their reports have
HERE = os.path.abspath(os.environ.get("JOBGATE_PYTHON_TESTS") or OWN)
NAME = os.environ.get("JOBGATE_PYTHON_NAME", "skeletonkey")
sys.path[:0] = [HERE, os.path.join(OWN, "..", "..", "main", "python")]


class Report(unittest.TextTestResult):
    """Also keeps, for each test, how long it took and what came of it."""

    def __init__(self, *given):
        super().__init__(*given)
        self.cases = {}

    def startTest(self, test):
        super().startTest(test)
        self.cases[test.id()] = [time.monotonic(), "", ""]

    def stopTest(self, test):
        super().stopTest(test)
        self.cases[test.id()][0] = time.monotonic() - self.cases[test.id()][0]

    def _came(self, test, what, text):
        self.cases.setdefault(test.id(), [0.0, "", ""])[1:] = [what, text]

    def addError(self, test, err):
        super().addError(test, err)
        self._came(test, "error", self._exc_info_to_string(err, test))

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._came(test, "failure", self._exc_info_to_string(err, test))

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._came(test, "failure", f"{subtest}: {self._exc_info_to_string(err, test)}")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._came(test, "skipped", reason)
        sys.stderr.write(f"LEFT OUT {test.id()}: {reason}\n")


def printable(text):
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text.encode("utf-8", "replace").decode("utf-8"))


def write(reports, module, cases):
    os.makedirs(reports, exist_ok=True)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuite name="{NAME}.{module}" tests="{len(cases)}">']
    for name, (seconds, what, text) in cases.items():
        class_name, _, test = name.rpartition(".")
        head = f'  <testcase classname={quoteattr(NAME + "." + class_name)} name={quoteattr(test)} time="{seconds:.3f}"'
        if what:
            last = printable(text).strip().split("\n")
            message = last[0] if what == "skipped" else last[-1]
            lines += [head + ">", f"    <{what} message={quoteattr(message)}/>", "  </testcase>"]
        else:
            lines.append(head + "/>")
    with open(os.path.join(reports, f"TEST-{NAME}.{module}.xml"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines + ["</testsuite>", ""]))


def main():
    reports, pattern = sys.argv[1:3]
    go_on = sys.argv[3:4] == ["true"]
    failed, count = False, 0
    for file in sorted(os.listdir(HERE)):
        if not fnmatch.fnmatch(file, pattern):
            continue
        module = file[:-3]
        suite = unittest.defaultTestLoader.loadTestsFromName(module)
        result = unittest.TextTestRunner(stream=sys.stderr, resultclass=Report, verbosity=1).run(suite)
        write(reports, module, result.cases)
        failed |= not result.wasSuccessful()
        count += len(result.cases)
    if not count:
        sys.exit(f"{HERE} has no test in a file like {pattern}")
    sys.exit(0 if go_on or not failed else 1)


if __name__ == "__main__":
    main()
