// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Attributes by name; the case of letters does not count. Immutable. */
public final class JdlRecord {

    private final Map<String, JdlValue> attributes;

    JdlRecord(Map<String, JdlValue> attributes) {
        Map<String, JdlValue> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(attributes);
        this.attributes = Collections.unmodifiableMap(all);
    }

    /** The value of this name, or null. */
    public @Nullable JdlValue get(String name) {
        return attributes.get(name);
    }

    /** All names, as they are written. */
    public Set<String> names() {
        return attributes.keySet();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JdlRecord that && attributes.equals(that.attributes);
    }

    @Override
    public int hashCode() {
        return attributes.hashCode();
    }

    @Override
    public String toString() {
        return attributes.toString();
    }
}
