# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""skeleton_key and chirp_control: jobs that bring their software and reach their data at any site.

Python's standard library only; what runs on a worker node is wrapper.sh.
"""

VERSION = "0.1.0"


class Mistake(Exception):
    """Something that the user can mend; the text is a whole sentence for them."""
