// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.rendezvous;

import static java.util.Objects.requireNonNull;

import org.jobgate.limits.Limit;

/**
 * How much may be left at a rendezvous.
 *
 * @param registrantBytes bytes of one registrant
 * @param rendezvousBytes bytes of all registrants of one job together
 */
public record RendezvousLimits(Limit registrantBytes, Limit rendezvousBytes) {

    public RendezvousLimits {
        requireNonNull(registrantBytes, "registrantBytes is null");
        requireNonNull(rendezvousBytes, "rendezvousBytes is null");
    }

    public static RendezvousLimits defaults() {
        return new RendezvousLimits(
                new Limit("limits.maxRegistrantBytes", 64 * 1024),
                new Limit("limits.maxRendezvousBytes", 4 * 1024 * 1024));
    }
}
