// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gram.fault.ResourceFaults;
import org.jobgate.gt4.Generation;

/**
 * How one generation of GT4 says things.
 *
 * @param wsrf the faults of the specifications under GRAM
 * @param gram GRAM's own faults
 */
public record Gt4Context(Addresses addresses, ResourceFaults wsrf, GramFaults gram) {

    public Gt4Context {
        requireNonNull(addresses, "addresses is null");
        requireNonNull(wsrf, "wsrf is null");
        requireNonNull(gram, "gram is null");
    }

    public Generation generation() {
        return addresses.generation();
    }
}
