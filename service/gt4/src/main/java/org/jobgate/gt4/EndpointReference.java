// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import static java.util.Objects.requireNonNull;

import java.util.List;
import javax.xml.namespace.QName;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;

/**
 * Where a web service resource is: an address, and what to repeat in the headers of every request to it.
 *
 * @param keys our own reference properties: name and text
 * @param given somebody else's reference properties, to be repeated as they are
 */
public record EndpointReference(String address, List<Key> keys, List<XmlElement> given) {

    /** One reference property with a text. */
    public record Key(QName name, String value) {}

    public EndpointReference {
        requireNonNull(address, "address is null");
        keys = List.copyOf(keys);
        given = List.copyOf(given);
    }

    public static EndpointReference of(String address) {
        return new EndpointReference(address, List.of(), List.of());
    }

    public static EndpointReference of(String address, QName key, String value) {
        return new EndpointReference(address, List.of(new Key(key, value)), List.of());
    }

    /**
     * Reads an endpoint reference that a client sent. GT4 clients add an empty {@code ReferenceParameters}; what is in it is repeated
     * like the properties (facts/gt4-wire.md section 4, EPR in requests).
     *
     * @throws IllegalArgumentException if it has no address
     */
    public static EndpointReference read(XmlElement element) {
        String address = element.child("Address").map(XmlElement::trimmedText).orElse("");
        if (address.isEmpty()) {
            throw new IllegalArgumentException("the endpoint reference " + element.localName() + " has no Address");
        }
        List<XmlElement> given = element.children().stream()
                .filter(child -> child.localName().equals("ReferenceProperties")
                        || child.localName().equals("ReferenceParameters"))
                .flatMap(child -> child.children().stream())
                .toList();
        return new EndpointReference(address, List.of(), given);
    }

    /** Writes it as an element of this name. */
    public void write(XmlWriter out, Generation generation, QName name) {
        out.open(name).binding(generation.addressing("Address"));
        writeContent(out, generation);
        out.close();
    }

    /** Writes what is inside. */
    public void writeContent(XmlWriter out, Generation generation) {
        out.element(generation.addressing("Address"), address);
        if (!keys.isEmpty() || !given.isEmpty()) {
            out.open(generation.referenceKeys());
            keys.forEach(key -> out.element(key.name(), key.value()));
            given.forEach(out::copy);
            out.close();
        }
    }
}
