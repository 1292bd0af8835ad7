// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * One file to be copied before or after the job. Both ends are URLs.
 *
 * @param options how to copy this one, by name; what the list says holds for the rest
 */
public record Transfer(String source, String destination, Map<String, String> options) {

    public Transfer {
        requireNonNull(source, "source is null");
        requireNonNull(destination, "destination is null");
        options = Map.copyOf(options);
    }

    public Transfer(String source, String destination) {
        this(source, destination, Map.of());
    }
}
