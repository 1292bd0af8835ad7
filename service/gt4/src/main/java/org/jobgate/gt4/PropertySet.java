// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import org.jobgate.job.ShortText;
import org.jobgate.soap.Reply;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;

/**
 * The resource properties of one kind of resource: which there are, and how each is written.
 *
 * @param <T> the resource as the writers want it
 */
public final class PropertySet<T> {

    private final Generation generation;
    private final WsrfFaults faults;
    private final QName common;
    private final Map<QName, BiConsumer<XmlWriter, T>> writers = new LinkedHashMap<>();

    /**
     * A set without properties.
     *
     * @param common a name whose prefix is bound once for all properties, for their values use it
     */
    public PropertySet(Generation generation, WsrfFaults faults, QName common) {
        this.generation = requireNonNull(generation, "generation is null");
        this.faults = requireNonNull(faults, "faults is null");
        this.common = requireNonNull(common, "common is null");
    }

    /** Adds a property. */
    public PropertySet<T> with(QName name, BiConsumer<XmlWriter, T> writer) {
        writers.put(name, writer);
        return this;
    }

    /** The names that a request asks for, each of them known. */
    public List<QName> requested(XmlElement request) {
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
            return faults.invalidProperty("There is no resource property '" + ShortText.of(text, 120)
                    + "' here (or its prefix is not bound). Ask for one of: " + all + ".");
        });
    }

    /** Answers the request with these properties of the resource. */
    public Reply reply(XmlElement request, List<QName> names, T resource) {
        String response = request.localName() + "Response";
        return new Reply(Actions.properties(generation, request.localName()), out -> {
            out.open(generation.properties(response)).binding(common);
            names.forEach(name -> write(out, name, resource));
            out.close();
        });
    }

    /** Writes all properties of the resource. */
    public void writeAll(XmlWriter out, T resource) {
        out.binding(common);
        writers.values().forEach(writer -> writer.accept(out, resource));
    }

    private void write(XmlWriter out, QName name, T resource) {
        BiConsumer<XmlWriter, T> writer = writers.get(name);
        if (writer != null) {
            writer.accept(out, resource);
        }
    }
}
