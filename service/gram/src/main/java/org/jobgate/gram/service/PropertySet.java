// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import org.jobgate.gram.fault.WsrfFaults;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.wsrf.Actions;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.xml.XmlElement;
import org.jobgate.gram.xml.XmlWriter;

/**
 * The resource properties of one kind of resource: which there are, and how each is written.
 *
 * @param <T> the resource as the writers want it
 */
final class PropertySet<T> {

    private final Generation generation;
    private final WsrfFaults faults;
    private final Map<QName, BiConsumer<XmlWriter, T>> writers = new LinkedHashMap<>();

    PropertySet(Generation generation, WsrfFaults faults) {
        this.generation = generation;
        this.faults = faults;
    }

    PropertySet<T> with(QName name, BiConsumer<XmlWriter, T> writer) {
        writers.put(name, writer);
        return this;
    }

    /** The names that a request asks for, each of them known. */
    List<QName> requested(XmlElement request) {
        if (request.name().equals(generation.properties("GetResourceProperty"))) {
            return List.of(known(request));
        }
        List<QName> names = request.children().stream()
                .filter(child -> child.localName().equals("ResourceProperty"))
                .map(this::known)
                .toList();
        if (names.isEmpty()) {
            throw faults.invalidProperty(
                    "The request names no resource property. Name each in an element ResourceProperty.");
        }
        return names;
    }

    private QName known(XmlElement element) {
        return element.qualifiedName().filter(writers::containsKey).orElseThrow(() -> {
            String text = element.trimmedText();
            String all = writers.keySet().stream()
                    .map(name -> name.getPrefix() + ":" + name.getLocalPart())
                    .collect(Collectors.joining(", "));
            return faults.invalidProperty(
                    "There is no resource property '" + (text.length() <= 120 ? text : text.substring(0, 120) + "...")
                            + "' here (or its prefix is not bound). Ask for one of: " + all + ".");
        });
    }

    /** Answers the request with these properties of the resource. */
    Reply reply(XmlElement request, List<QName> names, T resource) {
        String response = request.localName() + "Response";
        return new Reply(Actions.properties(generation, request.localName()), out -> {
            out.open(generation.properties(response)).binding(generation.types("state"));
            names.forEach(name -> write(out, name, resource));
            out.close();
        });
    }

    /** Writes all properties of the resource. */
    void writeAll(XmlWriter out, T resource) {
        out.binding(generation.types("state"));
        writers.values().forEach(writer -> writer.accept(out, resource));
    }

    private void write(XmlWriter out, QName name, T resource) {
        BiConsumer<XmlWriter, T> writer = writers.get(name);
        if (writer != null) {
            writer.accept(out, resource);
        }
    }
}
