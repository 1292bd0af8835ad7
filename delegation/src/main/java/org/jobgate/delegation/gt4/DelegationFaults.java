// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import java.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.WsrfFaults;
import org.jobgate.job.Fault;
import org.jobgate.soap.SoapFaultException;

/** How refusals are said: as the faults of WSRF, whose description is for people. The delegation services declare no faults of their own. */
public final class DelegationFaults {

    private final Map<Generation, WsrfFaults> faults = new EnumMap<>(Generation.class);

    public DelegationFaults(Clock clock) {
        for (Generation generation : Generation.values()) {
            faults.put(generation, new WsrfFaults(generation, clock));
        }
    }

    /** The faults of one generation. */
    WsrfFaults in(Generation generation) {
        WsrfFaults found = faults.get(generation);
        if (found == null) {
            throw new IllegalArgumentException("no faults of " + generation);
        }
        return found;
    }

    /** Any refusal. */
    public SoapFaultException of(Generation generation, Fault fault) {
        return in(generation).of(fault);
    }

    /** There is no such credential for this caller; somebody else's is none. */
    SoapFaultException unknown(Generation generation, WsrfFaults.About about) {
        return in(generation)
                .unknown(
                        about,
                        "There is no such delegated credential. It may have expired or been destroyed, it may belong to somebody else, or it"
                                + " never was here. Delegate again.");
    }
}
