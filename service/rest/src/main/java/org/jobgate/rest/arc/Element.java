// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A piece of an answer, which is written as XML, JSON or HTML. It has children or a text.
 *
 * @param attributes in XML only, and in JSON those of an element with children
 */
record Element(String name, Map<String, String> attributes, String text, List<Element> children) {

    Element {
        requireNonNull(name, "name is null");
        requireNonNull(text, "text is null");
        children = List.copyOf(children);
    }

    static Element leaf(String name, String text) {
        return new Element(name, Map.of(), text, List.of());
    }

    static Element of(String name, List<Element> children) {
        return new Element(name, Map.of(), "", children);
    }

    /** Collects children; what is null is left out. */
    static final class Builder {

        private final String name;
        private final Map<String, String> attributes = new LinkedHashMap<>();
        private final List<Element> children = new ArrayList<>();

        Builder(String name) {
            this.name = name;
        }

        Builder attribute(String attribute, String value) {
            attributes.put(attribute, value);
            return this;
        }

        Builder leaf(String leaf, @Nullable Object value) {
            if (value != null) {
                children.add(Element.leaf(leaf, value.toString()));
            }
            return this;
        }

        Builder add(Element child) {
            children.add(child);
            return this;
        }

        Builder addAll(List<Element> others) {
            children.addAll(others);
            return this;
        }

        Element build() {
            return new Element(name, attributes, "", children);
        }
    }
}
