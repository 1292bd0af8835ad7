# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Types of content that schemathesis does not know: a chain of certificates is text."""

import schemathesis

schemathesis.serializer.alias("application/x-pem-file", "text/plain")
