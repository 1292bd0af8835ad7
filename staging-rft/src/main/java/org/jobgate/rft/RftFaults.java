// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import java.time.Clock;
import java.time.Instant;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.gt4.WsrfFaults;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** How refusals are said: as the faults of WSRF, and those of RFT. */
final class RftFaults extends WsrfFaults {

    RftFaults(Generation generation, Clock clock) {
        super(generation, clock);
    }

    /** There is no such resource for this caller; somebody else's is none. */
    SoapFaultException unknownResource(About about, String resource) {
        return unknown(
                about,
                "There is no such " + resource
                        + ". It may have been destroyed or have reached its termination time, it may"
                        + " belong to somebody else, or it never was here. Use the endpoint reference that was answered.");
    }

    SoapFaultException startedAgain() {
        return fault(
                generation()::transfer,
                "rftRepeatedlyStartedFault",
                "rftRepeatedlyStartedFaultType",
                "The request was started before. Ask how it stands, or make another one.");
    }

    SoapFaultException noCredential(String sentence) {
        return fault(generation()::transfer, "delegationEPRMissingFault", "delegationEPRMissingFaultType", sentence);
    }

    /**
     * Writes the element {@code fault} of a status: why a transfer failed.
     *
     * @param isLast whether no further attempt comes
     * @param time of it; absent means now
     */
    void write(XmlWriter out, String sentence, boolean isLast, @Nullable Instant time) {
        out.open(generation().transfer("fault"));
        out.open(generation().transfer(isLast ? "rftTransferFaultType" : "transferTransientFaultType"));
        out.element(generation().baseFault("Timestamp"), Times.format(time == null ? clock().instant() : time));
        out.element(generation().baseFault("Description"), sentence);
        out.close().close();
    }
}
