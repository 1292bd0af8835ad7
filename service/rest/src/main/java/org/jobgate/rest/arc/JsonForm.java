// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON as ARC 7.0 renders its XML: every leaf is a string, children of the same name are a list, attributes of an element with children
 * are its {@code _attributes}, and the root has no name.
 */
final class JsonForm implements Form {

    private static final String ATTRIBUTES = "_attributes";

    /** Lists also where there is one of them: clients of 7.0 expect it, and HTCondor demands it of the states. */
    private static final List<String> LISTS = List.of("job", "version", "delegation", "file", "dir", "State");

    private static final JsonFactory FACTORY = new JsonFactory();

    private final JsonGenerator json;

    /** A text as JSON. */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2);
        try (JsonGenerator generator =
                FACTORY.createGenerator(tools.jackson.core.ObjectWriteContext.empty(), new AppendableWriter(out))) {
            generator.writeString(text);
        }
        return out.toString();
    }

    JsonForm(Appendable out) {
        this.json = FACTORY.createGenerator(tools.jackson.core.ObjectWriteContext.empty(), new AppendableWriter(out));
    }

    @Override
    public void document(Element root, List<String> lists) {
        Map<String, List<Element>> children = new LinkedHashMap<>();
        lists.forEach(list -> children.put(list, new java.util.ArrayList<>()));
        write(root, children);
        json.close();
    }

    @Override
    public void begin(String root, String item) {
        json.writeStartObject();
        json.writeArrayPropertyStart(item);
    }

    @Override
    public void item(Element element) {
        write(element);
    }

    @Override
    public void next(String item) {
        json.writeEndArray();
        json.writeArrayPropertyStart(item);
    }

    @Override
    public void end() {
        json.writeEndArray();
        json.writeEndObject();
        json.close();
    }

    private void write(Element element) {
        if (element.children().isEmpty()
                && (element.attributes().isEmpty() || !element.text().isEmpty())) {
            json.writeString(element.text());
            return;
        }
        write(element, new LinkedHashMap<>());
    }

    private void write(Element element, Map<String, List<Element>> children) {
        List<String> known = List.copyOf(children.keySet());
        for (Element child : element.children()) {
            children.computeIfAbsent(child.name(), name -> new java.util.ArrayList<>())
                    .add(child);
        }
        json.writeStartObject();
        for (Map.Entry<String, List<Element>> named : children.entrySet()) {
            json.writeName(named.getKey());
            if (named.getValue().size() == 1 && !LISTS.contains(named.getKey()) && !known.contains(named.getKey())) {
                write(named.getValue().getFirst());
                continue;
            }
            json.writeStartArray();
            named.getValue().forEach(this::write);
            json.writeEndArray();
        }
        if (!element.attributes().isEmpty()) {
            json.writeObjectPropertyStart(ATTRIBUTES);
            element.attributes().forEach(json::writeStringProperty);
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** What the generator writes to; it is not closed with it. */
    private static final class AppendableWriter extends java.io.Writer {

        private final Appendable out;

        AppendableWriter(Appendable out) {
            this.out = out;
        }

        @Override
        public void write(char[] characters, int offset, int length) throws IOException {
            out.append(java.nio.CharBuffer.wrap(characters, offset, length));
        }

        @Override
        public void flush() {
            // it is flushed by who made it
        }

        @Override
        public void close() {
            // it is closed by who made it
        }
    }
}
