# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Globus::GRAM::JobSignal;

# The signals of a job (facts/gram4.md §8.3).

use strict;
use warnings;

use constant {
    CANCEL => 1, SUSPEND => 2, RESUME => 3, PRIORITY => 4, COMMIT_REQUEST => 5, COMMIT_EXTEND => 6, STDIO_UPDATE => 7, STDIO_SIZE => 8,
    STOP_MANAGER => 9, COMMIT_END => 10,
};

1;
