// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import java.io.IOException;
import java.net.ProtocolException;
import org.jobgate.cli.cream.CreamException;
import org.jobgate.cli.tls.RefusedException;
import org.jobgate.cli.tls.UnreachableException;
import org.jobgate.cli.wire.HttpStatusException;
import org.jobgate.cli.wire.PlainSoap;
import org.jobgate.cli.wire.XmlElement;

/** What a request that failed means: for the jobs in it, and for the computing element. */
enum Trouble {
    /** It did not arrive: nobody reaches the computing element. */
    NOT_SENT,
    /** The computing element, or what is before it, gives no answer to anybody. Whether the request arrived is not known. */
    NO_ANSWER,
    /** The computing element takes no jobs at present. It may take those of others: which limit was reached is not told. */
    CLOSED,
    /** A guard before the service has refused the request: the service has done nothing about it. */
    NOT_LET_IN,
    /** It did not believe who we are. */
    IDENTITY,
    /** It refused the request, and would refuse it again. */
    REFUSED,
    /** It answers, but this request, or this owner, it cannot serve. Whether it did something is not known. */
    UNCLEAR,
    /** The files of this machine cannot be read, or an answer makes no sense. */
    OURS;

    static Trouble of(CreamException e) {
        Throwable cause = e.getCause();
        if (cause == null) {
            return OURS;
        }
        return switch (cause) {
            case PlainSoap.FaultException refused -> of(refused.fault());
            case RefusedException refused ->
                switch (refused.what()) {
                    case CREDENTIAL -> IDENTITY;
                    case SIZE -> REFUSED;
                    case REQUEST -> UNCLEAR;
                    case ADDRESS -> NOT_LET_IN;
                };
            case UnreachableException away -> NOT_SENT;
            case HttpStatusException status -> of(status);
            case ProtocolException nonsense -> UNCLEAR;
            case IOException lost -> NO_ANSWER;
            default -> OURS;
        };
    }

    private static Trouble of(HttpStatusException status) {
        if (status.isUntouched()) {
            return NOT_LET_IN;
        }
        return status.isOfServer() ? NO_ANSWER : UNCLEAR;
    }

    private static Trouble of(XmlElement fault) {
        XmlElement detail = fault.child("", "detail");
        String name = detail == null || detail.children().isEmpty()
                ? ""
                : detail.children().getFirst().name();
        return switch (name) {
            case "JobSubmissionDisabledFault" -> CLOSED;
            case "AuthorizationFault", "InvalidArgumentFault" -> REFUSED;
            // a fault is an answer: others may get a better one
            default -> UNCLEAR;
        };
    }

    /** Whether everybody would have it with this computing element: everything else is about one owner, one job or one request. */
    boolean isOfElement() {
        return this == NOT_SENT || this == NO_ANSWER;
    }
}
