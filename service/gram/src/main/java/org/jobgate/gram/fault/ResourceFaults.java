// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.fault;

import java.time.Clock;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.WsrfFaults;
import org.jobgate.soap.SoapFaultException;

/** The faults of WSRF with GRAM's sentences, and those of the services beside GRAM's own (facts/gram4.md section 1.8). */
public final class ResourceFaults extends WsrfFaults {

    private static final String UNKNOWN_REMEDY =
            "It may have ended and been destroyed, it may belong to somebody else, or it never was here."
                    + " Use the endpoint reference that the submission answered.";

    public ResourceFaults(Generation generation, Clock clock) {
        super(generation, clock);
    }

    /** There is no such resource for this caller: the fault of an operation on properties. */
    public SoapFaultException unknownToProperties(String resource) {
        return unknownResource(About.PROPERTIES, resource);
    }

    /** The same for an operation on lifetimes. */
    public SoapFaultException unknownToLifetime(String resource) {
        return unknownResource(About.LIFETIME, resource);
    }

    /** The same for an operation on notifications. */
    public SoapFaultException unknownToNotification(String resource) {
        return unknownResource(About.NOTIFICATION, resource);
    }

    /** The same for an operation on any of these. */
    public SoapFaultException unknownResource(About about, String resource) {
        return unknown(about, "There is no " + resource + ". " + UNKNOWN_REMEDY);
    }

    /** The factory has no LRM of this name. */
    public SoapFaultException unknownFactory(String sentence) {
        return unknown(About.PROPERTIES, sentence);
    }

    /** GT 4.2: the job is not held. */
    public SoapFaultException notReleased(String sentence) {
        return fault(generation()::release, "resourceNotReleasedFault", "ResourceNotReleasedFaultType", sentence);
    }

    /** Another registrant has the rank. */
    public SoapFaultException rankTaken(String sentence) {
        return fault(generation()::rendezvous, "rankTakenFault", "RankTakenFaultType", sentence);
    }

    /** As many have registered as there may be. */
    public SoapFaultException capacityReached(String sentence) {
        return fault(generation()::rendezvous, "capacityReachedFault", "CapacityReachedFaultType", sentence);
    }
}
