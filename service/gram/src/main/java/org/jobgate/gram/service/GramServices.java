// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.SoapService;

/** GRAM4's services, each of them in both generations. */
public final class GramServices {

    private static final List<String> NAMES =
            List.of(Addresses.FACTORY, Addresses.JOB, Addresses.MULTI_JOB, Addresses.SUBSCRIPTION);

    private final Map<Generation, Map<String, SoapService>> services = new EnumMap<>(Generation.class);

    public GramServices(GramContext context, Map<Generation, Gt4Context> generations, ServiceSettings settings) {
        Waiting waiting = new Waiting(context.jobs(), settings.waiting(), context.clock());
        generations.forEach((generation, gt4) ->
                services.put(generation, new GenerationServices(context, gt4, settings, waiting).all()));
    }

    public List<SoapService> all() {
        return NAMES.stream().map(this::inBothGenerations).toList();
    }

    private SoapService inBothGenerations(String name) {
        Map<Generation, SoapService> ofName = new EnumMap<>(Generation.class);
        services.forEach((generation, named) -> ofName.put(generation, named.get(name)));
        return new BothGenerations(name, ofName);
    }
}
