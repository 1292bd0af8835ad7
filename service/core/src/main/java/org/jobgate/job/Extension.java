// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;

/**
 * Something that the job description says beyond its own language, kept as a small tree and handed to the LRM adapter.
 *
 * @param name its local name
 * @param attributes its attributes by local name
 * @param text its own text, trimmed; empty if there is none
 * @param children what lies inside it, in order
 */
public record Extension(String name, Map<String, String> attributes, String text, List<Extension> children) {

    public Extension {
        requireNonNull(name, "name is null");
        requireNonNull(text, "text is null");
        attributes = Map.copyOf(attributes);
        children = List.copyOf(children);
    }
}
