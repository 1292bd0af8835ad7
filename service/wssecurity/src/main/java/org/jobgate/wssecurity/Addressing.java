// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.util.List;
import java.util.Optional;
import org.w3c.dom.Element;

/** What a signed message must say of itself, so that it cannot be sent on to another gateway, to another service or for another purpose. */
final class Addressing {

    private final KnownNames names;

    /** @param names those of this gateway */
    Addressing(KnownNames names) {
        this.names = names;
    }

    /**
     * What a message says of itself where it need not.
     *
     * @param hasTo whether it says for whom it is, which is this service of this gateway then
     */
    record Said(boolean hasTo, Optional<String> messageId) {}

    /**
     * Requires To, Action and MessageID, one of each, and To to name this service of this gateway; answers the MessageID.
     *
     * @param client the address from which the message came
     */
    String check(Envelope envelope, String service, String client) {
        String to = text(envelope, "To");
        text(envelope, "Action");
        requireFor(to, service, client);
        return text(envelope, "MessageID");
    }

    /** Requires at most one of each, and To to name this service of this gateway if it is there. */
    Said checkWhatIsThere(Envelope envelope, String service, String client) {
        Optional<String> to = textIfAny(envelope, "To");
        to.ifPresent(given -> requireFor(given, service, client));
        textIfAny(envelope, "Action");
        return new Said(to.isPresent(), textIfAny(envelope, "MessageID"));
    }

    private void requireFor(String to, String service, String client) {
        if (!to.endsWith("/" + service)) {
            throw Refusals.invalid("The message is signed for '" + Refusals.shown(to) + "', not for " + service
                    + ". Sign one for each service.");
        }
        if (!names.contain(to, client)) {
            throw Refusals.invalid(
                    "The message is signed for '" + Refusals.shown(to)
                            + "', which is no address of this gateway, known as " + names
                            + ". Sign it for the address that it is sent to; if clients must use that one, the site names it in messageSecurity.names.");
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
