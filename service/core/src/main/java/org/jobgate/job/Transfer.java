// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

/** One file to be copied before or after the job. Both ends are URLs. */
public record Transfer(String source, String destination) {

    public Transfer {
        requireNonNull(source, "source is null");
        requireNonNull(destination, "destination is null");
    }
}
