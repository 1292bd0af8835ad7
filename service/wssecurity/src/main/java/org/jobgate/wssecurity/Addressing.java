// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.util.List;
import org.w3c.dom.Element;

/** What a signed message must say of itself, so that it cannot be sent on to another service or for another purpose. */
final class Addressing {

    private Addressing() {}

    /** Requires To, Action and MessageID, one of each, and To to name this service; answers the MessageID. */
    static String check(Envelope envelope, String service) {
        String to = text(envelope, "To");
        text(envelope, "Action");
        if (!to.endsWith("/" + service)) {
            throw Refusals.invalid("The message is signed for '" + Refusals.shown(to) + "', not for " + service
                    + ". Sign one for each service.");
        }
        return text(envelope, "MessageID");
    }

    private static String text(Envelope envelope, String name) {
        List<Element> found = envelope.headers().stream()
                .filter(header ->
                        name.equals(header.getLocalName()) && Names.ADDRESSING.contains(header.getNamespaceURI()))
                .toList();
        if (found.size() != 1) {
            throw Refusals.invalid("The signed message has " + found.size() + " WS-Addressing headers " + name
                    + ". It must have one To, one Action and one MessageID, all signed.");
        }
        return found.getFirst().getTextContent().strip();
    }
}
