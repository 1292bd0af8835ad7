// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.util.function.Consumer;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What is done to a message on its way. */
final class Tampering {

    private Tampering() {}

    static Element security(Envelope envelope) {
        return envelope.security().orElseThrow();
    }

    static Element first(Envelope envelope, String namespace, String name) {
        return (Element) requireNonNull(
                envelope.document().getElementsByTagNameNS(namespace, name).item(0), name);
    }

    /** A body with another content, with this id or none. */
    static Element evilBody(Document document, String id) {
        Element body = document.createElementNS(Names.SOAP, "s:Body");
        if (!id.isEmpty()) {
            body.setAttributeNS(Names.WSU, "wsu:Id", id);
        }
        Element create = document.createElementNS("http://example.org/o", "o:create");
        create.setTextContent("/bin/evil");
        body.appendChild(create);
        return body;
    }

    static Element wrapper(Document document) {
        return document.createElementNS("http://example.org/wrapper", "w:wrapper");
    }

    /** Puts the signed body somewhere else, and an evil one in its place. */
    static void wrapBody(Envelope envelope, String id, Consumer<Element> place) {
        Element body = envelope.body();
        Node root = body.getParentNode();
        root.replaceChild(evilBody(envelope.document(), id), body);
        place.accept(body);
    }

    static Element intoHeader(Envelope envelope, Element wrapped) {
        Element around = wrapper(envelope.document());
        around.appendChild(wrapped);
        security(envelope).getParentNode().appendChild(around);
        return around;
    }

    static void wrapBodyIntoHeader(Envelope envelope) {
        wrapBody(envelope, "", body -> intoHeader(envelope, body));
    }

    static void wrapBodyIntoEvilOne(Envelope envelope) {
        wrapBody(envelope, "", body -> envelope.body().appendChild(body));
    }

    static void wrapBodyOfTheSameId(Envelope envelope) {
        String id = envelope.body().getAttributeNS(Names.WSU, "Id");
        wrapBody(envelope, id, body -> intoHeader(envelope, body));
    }

    static void changeProgram(Envelope envelope) {
        first(envelope, "http://example.org/o", "program").setTextContent("/bin/evil");
    }

    /** The only reference of this element of the signature then leads somewhere else. */
    static void pointElsewhere(Element element, String uri) {
        element.getElementsByTagNameNS(Names.WSSE, "Reference")
                .item(0)
                .getAttributes()
                .getNamedItem("URI")
                .setNodeValue(uri);
    }
}
