# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The client. The package ``_sync`` is made from this one by tools/make_sync.py."""
