# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The same names with and without async."""

import asyncio
import time

async_sleep = asyncio.sleep
sleep = time.sleep
