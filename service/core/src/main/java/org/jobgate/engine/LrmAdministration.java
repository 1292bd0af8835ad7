// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmStatus;
import org.jobgate.lrm.LrmThrottle;

/** What administrators see and change of the LRMs: how the gateway stands with each, and how much of it the gateway may use. */
public final class LrmAdministration {

    private final LrmRegistry registry;
    private final StrayRecords strays;
    private final BiConsumer<String, LrmThrottle> changed;

    /** @param changed is called with the name of an LRM and its changed throttle */
    LrmAdministration(LrmRegistry registry, StrayRecords strays, BiConsumer<String, LrmThrottle> changed) {
        this.registry = registry;
        this.strays = strays;
        this.changed = changed;
    }

    /** How the gateway stands with each LRM. */
    public List<LrmStatus> status() {
        return registry.all().stream().map(registry::status).toList();
    }

    /** The same of one; empty where there is no such LRM. */
    public Optional<LrmStatus> status(String lrm) {
        return registry.find(lrm).map(registry::status);
    }

    /** How many records from the side of this LRM were refused since the start: they spoke of jobs in which their source has no say. */
    public long strayRecords(String lrm) {
        return strays.of(lrm);
    }

    /** Changes how much of the LRM the gateway may use, until the next start; answers whether there is such an LRM. */
    public boolean throttle(String lrm, LrmThrottle throttle) {
        Optional<Lrm> found = registry.find(lrm);
        found.ifPresent(known -> {
            known.throttle(throttle);
            changed.accept(lrm, throttle);
        });
        return found.isPresent();
    }
}
