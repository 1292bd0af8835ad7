// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import java.io.IOException;
import org.jobgate.cli.cream.CreamException;
import org.jobgate.cli.tls.RefusedException;
import org.jobgate.cli.tls.UnreachableException;
import org.jobgate.cli.wire.PlainSoap;
import org.jobgate.cli.wire.XmlElement;

/** What a request that failed means for the jobs in it. */
enum Trouble {
    /** It did not arrive. */
    NOT_SENT,
    /** Whether it arrived is not known: it is to be repeated at the same place. */
    UNKNOWN,
    /** The computing element takes no jobs at present. */
    CLOSED,
    /** It did not believe who we are. */
    IDENTITY,
    /** It refused the request, and would refuse it again. */
    REFUSED,
    /** The files of this machine cannot be read, or an answer makes no sense. */
    OURS;

    static Trouble of(CreamException e) {
        Throwable cause = e.getCause();
        if (cause instanceof PlainSoap.FaultException refused) {
            return of(refused.fault());
        }
        if (cause instanceof RefusedException refused) {
            return refused.what() == RefusedException.What.CREDENTIAL ? IDENTITY : UNKNOWN;
        }
        return cause instanceof UnreachableException ? NOT_SENT : cause instanceof IOException ? UNKNOWN : OURS;
    }

    private static Trouble of(XmlElement fault) {
        XmlElement detail = fault.child("", "detail");
        String name = detail == null || detail.children().isEmpty()
                ? ""
                : detail.children().getFirst().name();
        return switch (name) {
            case "JobSubmissionDisabledFault" -> CLOSED;
            case "AuthorizationFault", "InvalidArgumentFault" -> REFUSED;
            default -> UNKNOWN;
        };
    }
}
