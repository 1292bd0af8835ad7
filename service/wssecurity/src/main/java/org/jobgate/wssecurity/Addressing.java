// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.util.List;
import java.util.Optional;
import org.w3c.dom.Element;

/** What a signed message must say of itself, so that it cannot be sent on to another service or for another purpose. */
final class Addressing {

    private Addressing() {}

    /**
     * What a message says of itself where it need not.
     *
     * @param hasTo whether it says for whom it is, which is this service then
     */
    record Said(boolean hasTo, Optional<String> messageId) {}

    /** Requires To, Action and MessageID, one of each, and To to name this service; answers the MessageID. */
    static String check(Envelope envelope, String service) {
        String to = text(envelope, "To");
        text(envelope, "Action");
        requireFor(to, service);
        return text(envelope, "MessageID");
    }

    /** Requires at most one of each, and To to name this service if it is there. */
    static Said checkWhatIsThere(Envelope envelope, String service) {
        Optional<String> to = textIfAny(envelope, "To");
        to.ifPresent(given -> requireFor(given, service));
        textIfAny(envelope, "Action");
        return new Said(to.isPresent(), textIfAny(envelope, "MessageID"));
    }

    private static void requireFor(String to, String service) {
        if (!to.endsWith("/" + service)) {
            throw Refusals.invalid("The message is signed for '" + Refusals.shown(to) + "', not for " + service
                    + ". Sign one for each service.");
        }
    }

    private static Optional<String> textIfAny(Envelope envelope, String name) {
        return headers(envelope, name).isEmpty() ? Optional.empty() : Optional.of(text(envelope, name));
    }

    private static String text(Envelope envelope, String name) {
        List<Element> found = headers(envelope, name);
        if (found.size() != 1) {
            throw Refusals.invalid("The signed message has " + found.size() + " WS-Addressing headers " + name
                    + ". It must have one To, one Action and one MessageID, all signed.");
        }
        return found.getFirst().getTextContent().strip();
    }

    private static List<Element> headers(Envelope envelope, String name) {
        return envelope.headers().stream()
                .filter(header ->
                        name.equals(header.getLocalName()) && Names.ADDRESSING.contains(header.getNamespaceURI()))
                .toList();
    }
}
