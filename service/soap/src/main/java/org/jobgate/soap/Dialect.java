// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.xml.XmlContent;
import org.jspecify.annotations.Nullable;

/** How one family of services says in SOAP what SOAP leaves open: typed faults, and the headers of replies. */
public interface Dialect {

    /** Faults as text alone, replies without headers. */
    Dialect PLAIN = new PlainDialect();

    /** How a refusal is said on the wire. */
    SoapFaultException fault(RequestHead request, Fault fault);

    /**
     * The headers of the reply; empty where it has none.
     *
     * @param address the public address of the service that replies
     * @param action what the reply says; null for a fault
     */
    Optional<XmlContent> replyHeaders(RequestHead request, String address, @Nullable String action);
}
