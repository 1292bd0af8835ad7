# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Globus::GRAM::JobState;

# The states of a job that a GRAM module tells (facts/gram4.md §8.3).

use strict;
use warnings;

use constant {
    PENDING => 1, ACTIVE => 2, FAILED => 4, DONE => 8, SUSPENDED => 16, UNSUBMITTED => 32, STAGE_IN => 64, STAGE_OUT => 128, ALL => 0xFFFFF,
};

1;
