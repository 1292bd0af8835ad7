// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.htcondor;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Attributes by name, as HTCondor keeps them of jobs and events. Names are found whatever their capitals; the order is kept.
 * Immutable.
 */
public final class ClassAd {

    private final Map<String, ClassAdValue> attributes;
    private final Map<String, ClassAdValue> byName;

    /** An ad of these attributes; of two names that differ in capitals only the later counts. */
    public ClassAd(Map<String, ClassAdValue> attributes) {
        Map<String, String> written = new LinkedHashMap<>();
        Map<String, ClassAdValue> found = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        attributes.forEach((name, value) -> {
            written.put(name.toLowerCase(Locale.ROOT), name);
            found.put(name, requireNonNull(value, "a value is null"));
        });
        Map<String, ClassAdValue> ordered = new LinkedHashMap<>();
        written.values().forEach(name -> ordered.put(name, requireNonNull(found.get(name))));
        this.attributes = Collections.unmodifiableMap(ordered);
        this.byName = found;
    }

    /** All attributes, in order. */
    public Map<String, ClassAdValue> attributes() {
        return attributes;
    }

    public Optional<ClassAdValue> get(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The text of this name, if it is one. */
    public Optional<String> text(String name) {
        return get(name).map(value -> value instanceof ClassAdValue.Text text ? text.value() : null);
    }

    /** The whole number of this name, if it is one. */
    public OptionalLong integer(String name) {
        return byName.get(name) instanceof ClassAdValue.Whole whole
                ? OptionalLong.of(whole.value())
                : OptionalLong.empty();
    }

    /** The truth value of this name, if it is one. */
    public Optional<Boolean> truth(String name) {
        return get(name).map(value -> value instanceof ClassAdValue.Truth truth ? truth.value() : null);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClassAd ad && byName.equals(ad.byName);
    }

    @Override
    public int hashCode() {
        return byName.hashCode();
    }

    /** In the form {@code [ Name = value; ... ]}, which {@link ClassAdParser} reads. */
    @Override
    public String toString() {
        return attributes.entrySet().stream()
                .map(entry -> entry.getKey() + " = " + entry.getValue().printed())
                .collect(Collectors.joining("; ", "[ ", " ]"));
    }
}
