// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint reference: where a resource is, and the properties that name it there (facts/gram4.md section 1.3).
 *
 * @param address the service's URL
 * @param properties sent back word for word as headers of every request, in the names of GT 4.0
 * @param protocol what the service speaks; null where the reference does not tell
 */
public record Epr(
        String address,
        List<XmlElement> properties,
        @Nullable Protocol protocol) {
    public Epr {
        requireNonNull(address, "address is null");
        properties = List.copyOf(properties);
    }

    /** One that does not tell what is spoken there. */
    public Epr(String address, List<XmlElement> properties) {
        this(address, properties, null);
    }

    /** The factory of one LRM. */
    public static Epr factory(String address, String type) {
        return new Epr(address, List.of(new XmlElement(Names.JOB, "ResourceID", List.of(), List.of(), type)));
    }

    /**
     * Reads one from an element of any name: GT's own files name their root differently from the element on the wire.
     *
     * @throws XMLStreamException where there is no address
     */
    public static Epr of(XmlElement element) throws XMLStreamException {
        boolean isOld = element.child(Names.WSA, "Address") != null;
        String address = element.childText(isOld ? Names.WSA : Names.WSA_2005, "Address");
        if (address == null || address.isEmpty()) {
            throw new XMLStreamException("element " + element.name() + " has no wsa:Address");
        }
        List<XmlElement> properties = new ArrayList<>();
        for (XmlElement child : element.children()) {
            if (isAddressing(child)
                    && (child.name().equals("ReferenceProperties")
                            || child.name().equals("ReferenceParameters"))) {
                child.children().forEach(key -> properties.add(Protocol.canonical(key)));
            }
        }
        return new Epr(address, properties, isOld ? Protocol.GT40 : Protocol.GT42);
    }

    /** The resource's id; empty where it is named by something else than {@code job:ResourceID}. */
    public String resourceId() {
        for (XmlElement property : properties) {
            if (property.is(Names.JOB, "ResourceID")) {
                return property.text().strip();
            }
        }
        return "";
    }

    /** Address and id in one text, as Condor-G and GLOBUS_GRAM_JOB_HANDLE have it (facts/gram4.md section 1.3). */
    public String handle() {
        return address + "?" + resourceId();
    }

    private static boolean isAddressing(XmlElement element) {
        return element.namespace().equals(Names.WSA) || element.namespace().equals(Names.WSA_2005);
    }

    /** As GT's globusrun-ws wrote it to files and to stdout: one line, root {@code EndpointReferenceType}. */
    public String toFileText() {
        return protocol == Protocol.GT42 ? toFileText42() : toFileText40();
    }

    private String toFileText42() {
        StringBuilder out = new StringBuilder(400);
        out.append("<ns00:EndpointReferenceType xmlns:ns00=\"")
                .append(Names.WSA)
                .append("\"><ns00:Address>");
        XmlText.append(out, address);
        out.append("</ns00:Address><ns00:ReferenceParameters>");
        properties.forEach(property -> property.write(out, ""));
        out.append("</ns00:ReferenceParameters></ns00:EndpointReferenceType>");
        return Protocol.GT42.toWire(out.toString());
    }

    private String toFileText40() {
        StringBuilder out = new StringBuilder(400);
        out.append("<ns00:EndpointReferenceType xmlns:ns00=\"")
                .append(Names.WSA)
                .append("\"><ns00:Address>");
        XmlText.append(out, address);
        out.append("</ns00:Address><ns00:ReferenceProperties>");
        properties.forEach(property -> property.write(out, ""));
        out.append("</ns00:ReferenceProperties><ns00:ReferenceParameters></ns00:ReferenceParameters>");
        return out.append("</ns00:EndpointReferenceType>").toString();
    }
}
