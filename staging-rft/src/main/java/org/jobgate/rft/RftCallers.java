// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.access.OwnedKind;
import org.jobgate.authz.Action;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;

/** Finds the caller of a request, and the transfer request that its header names. */
final class RftCallers {

    private final Access access;

    RftCallers(Access access) {
        this.access = requireNonNull(access, "access is null");
    }

    Caller of(SoapCall call) {
        return access.caller(call.identity());
    }

    /**
     * Who calls to do this to requests of the caller's own.
     *
     * @throws org.jobgate.job.FaultException of code {@code NOT_AUTHORIZED}
     */
    String owner(SoapCall call, Action action) {
        Caller caller = of(call);
        return action == Action.QUERY ? caller.query(OwnedKind.TRANSFERS) : caller.manage(OwnedKind.TRANSFERS);
    }

    /** The request that the header names. */
    static String key(SoapCall call, Generation generation) {
        return call.headerText(generation.transfer(RftNames.KEY))
                .filter(key -> key.length() <= 128)
                .orElseThrow(
                        () -> SoapFaultException.client(
                                "The SOAP header " + generation.transfer(RftNames.KEY)
                                        + " is missing: it says which request is meant. Repeat in it what the endpoint reference holds."));
    }
}
