# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Manual pages, completion and the page for users say what the commands take. With JOBGATE_DOCS=write the made ones are written instead."""

import os
import re
import shutil
import subprocess
import unittest

from room import ROOT
from skeletonkey import options, settings


class ManualTest(unittest.TestCase):
    def made(self):
        pages = {f"docs/man/man1/{page.name}.1": options.manual(page) for page in options.PAGES}
        pages["docs/completion/skeletonkey.bash"] = options.completion()
        return pages

    def test_pages_and_completion_are_those_of_the_tables(self):
        for path, text in self.made().items():
            if os.environ.get("JOBGATE_DOCS") == "write":
                with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                    file.write(text)
            with self.subTest(path):
                with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                    self.assertEqual(text, file.read(), "stale; write it anew: mvn -pl clients/skeletonkey test -Djobgate.docs=write")

    def test_bash_completes(self):
        for words, expected in (
            ("skeleton_key --de", "--describe"),
            ("skeleton_key --describe j", "json jsdl jdd"),
            ("skeleton_key --queue 1", ""),
            ("chirp_control sta", "start status"),
            ("chirp_control start --ho", "--host"),
        ):
            with self.subTest(words):
                script = f". docs/completion/skeletonkey.bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _skeletonkey_complete; echo ${{COMPREPLY[*]}}"
                said = subprocess.check_output(["bash", "-c", script], cwd=ROOT, text=True)
                self.assertEqual(sorted(expected.split()), sorted(said.split()))

    def test_groff_reads_every_page_without_a_warning(self):
        if not shutil.which("groff"):
            self.skipTest("no groff: LEFT OUT")
        for page in options.PAGES:
            done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z"], input=options.manual(page), capture_output=True, text=True)
            self.assertEqual("", done.stdout + done.stderr)

    def test_the_page_for_users_names_every_key_and_option_and_no_other(self):
        with open(os.path.join(ROOT, "docs", "user", "skeletonkey.md"), encoding="utf-8") as file:
            page = file.read()
        for section, keys in settings.KEYS.items():
            self.assertIn(f"[{section}]", page)
            for key in keys:
                self.assertRegex(page, rf"`{key.replace('repo1', 'repoN')}`")
        known = {name for p in options.PAGES for option in p.options for name in option.names}
        for name in known:
            if name.startswith("--") and name not in ("--help", "--version"):
                self.assertTrue(name in page, f"docs/user/skeletonkey.md does not name {name}")
        for name in re.findall(r"`(--[a-z-]+)", page):
            self.assertIn(name, known | {"--debug", "--preserve-dir"})


if __name__ == "__main__":
    unittest.main()
