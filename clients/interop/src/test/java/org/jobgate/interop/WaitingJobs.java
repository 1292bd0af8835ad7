// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

/** Jobs that go on when a test says so. */
final class WaitingJobs {

    private WaitingJobs() {}

    /** Shell that waits for the file; ten minutes at most, so that a test that fails before it writes the file leaves no job for ever. */
    static String until(Object file) {
        return "n=0; until test -e " + file + " || test $n -ge 3000; do n=$((n + 1)); sleep 0.2; done";
    }
}
