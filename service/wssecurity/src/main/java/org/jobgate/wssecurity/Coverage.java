// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.wss4j.dom.WSDataRef;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Whether a signature speaks of what the service will read: of the very elements, not of others of the same name, id or content
 * elsewhere in the message (signature wrapping).
 */
final class Coverage {

    private final Set<Node> signed = Collections.newSetFromMap(new IdentityHashMap<>());

    Coverage(List<WSDataRef> references) {
        references.forEach(reference -> signed.add(reference.getProtectedElement()));
    }

    /** The body, the timestamp, the addressing and every other header block must be signed. */
    void require(Envelope envelope, Element timestamp) {
        requireSigned(envelope.body(), "the Body");
        requireSigned(timestamp, "the Timestamp");
        for (Element header : envelope.headers()) {
            if (!Envelope.is(header, Names.WSSE, "Security")) {
                requireSigned(header, "the header " + Refusals.shown(header.getNodeName()));
            }
        }
    }

    private void requireSigned(Element element, String what) {
        if (!signed.contains(element)) {
            throw Refusals.invalid("The signature does not cover " + what
                    + " that the service reads. Sign the Body, the Timestamp and every header block.");
        }
    }
}
