// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import static java.util.Objects.requireNonNull;

import java.util.Base64;
import org.jobgate.gt4.Generation;
import org.jobgate.xml.XmlWriter;

/** Writes what is told on the topic of the rendezvous: that all have come, and what they have left. */
public final class RendezvousMessage {

    private final Generation generation;

    public RendezvousMessage(Generation generation) {
        this.generation = requireNonNull(generation, "generation is null");
    }

    /**
     * Writes it.
     *
     * @param data what all have left
     */
    public void write(XmlWriter out, byte[] data) {
        out.open(generation.rendezvous("stateChangeNotificationMessage"));
        out.element(generation.rendezvous("RendezvousCompleted"), "true");
        out.element(generation.rendezvous("RegistrantData"), Base64.getEncoder().encodeToString(data));
        out.close();
    }
}
