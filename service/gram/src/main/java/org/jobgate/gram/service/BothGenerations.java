// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.Map;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapService;

/** One address that is served in both generations. */
final class BothGenerations implements SoapService {

    private final String name;
    private final Map<Generation, SoapService> services;

    /** @param services of the same name, one for each generation */
    BothGenerations(String name, Map<Generation, SoapService> services) {
        this.name = requireNonNull(name, "name is null");
        this.services = new EnumMap<>(services);
        for (Generation generation : Generation.values()) {
            requireNonNull(services.get(generation), () -> name + " is not there for " + generation);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Reply answer(SoapCall call) {
        return requireNonNull(services.get(Generation.of(call))).answer(call);
    }
}
