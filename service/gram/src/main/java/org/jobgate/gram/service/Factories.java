// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jobgate.access.Jobs;
import org.jobgate.gram.fault.ResourceFaults;
import org.jobgate.gt4.Generation;
import org.jobgate.job.ShortText;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;

/** The factory's resources: one for each LRM, by its exact name, and one for multi-jobs (facts/gram4.md section 1.3). */
final class Factories {

    private final Generation generation;
    private final Jobs jobs;
    private final ResourceFaults faults;

    Factories(Jobs jobs, Gt4Context gt4) {
        this.generation = gt4.generation();
        this.jobs = jobs;
        this.faults = gt4.wsrf();
    }

    /** Those of LRMs, the default first. */
    Set<String> all() {
        return jobs.lrms();
    }

    LrmCapabilities capabilities(String lrm) {
        return jobs.capabilities(lrm);
    }

    /** The LRM that the request's header names; in GT 4.2 the default where there is no header. */
    String named(SoapCall call) {
        Set<String> lrms = new LinkedHashSet<>(all());
        lrms.add(Jobs.MULTI);
        String known = String.join(", ", lrms);
        Optional<String> named = call.headerText(generation.job("ResourceID"));
        if (named.isEmpty() && generation == Generation.GT42 && !lrms.isEmpty()) {
            return lrms.iterator().next();
        }
        String lrm = named.orElseThrow(() -> SoapFaultException.client("The SOAP header "
                + generation.job("ResourceID") + " is missing: it says which local resource manager is meant, one of: "
                + known + "."));
        if (!lrms.contains(lrm)) {
            String shown = ShortText.of(lrm, 60);
            throw faults.unknownFactory("There is no local resource manager '" + shown + "' here. Name one of: " + known
                    + ", with the same capitals.");
        }
        return lrm;
    }
}
