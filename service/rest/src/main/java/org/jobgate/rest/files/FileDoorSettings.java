// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.limits.Limit;

/**
 * The bounds of reading files.
 *
 * @param readers requests for files that are being answered or that wait, of everybody
 * @param readersPerOwner the same of one subject
 * @param maxWait how long a request may wait for more of a file; one that asks for more gets this
 */
public record FileDoorSettings(Limit readers, Limit readersPerOwner, Duration maxWait) {

    public FileDoorSettings {
        requireNonNull(readers, "readers is null");
        requireNonNull(readersPerOwner, "readersPerOwner is null");
        requireNonNull(maxWait, "maxWait is null");
    }
}
