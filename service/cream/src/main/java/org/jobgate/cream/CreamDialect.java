// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.job.Fault;
import org.jobgate.soap.Dialect;
import org.jobgate.soap.RequestHead;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlContent;
import org.jspecify.annotations.Nullable;

/** Plain SOAP 1.1 with CREAM's typed faults; replies have no headers. */
final class CreamDialect implements Dialect {

    private final Clock clock;

    CreamDialect(Clock clock) {
        this.clock = requireNonNull(clock, "clock is null");
    }

    @Override
    public SoapFaultException fault(RequestHead request, Fault fault) {
        return CreamFault.ofRequest(operation(request.body()), fault).soap(clock.instant());
    }

    private static String operation(@Nullable QName body) {
        return body == null ? CreamNames.SERVICE : Operation.named(body.getLocalPart());
    }

    @Override
    public Optional<XmlContent> replyHeaders(RequestHead request, String address, @Nullable String action) {
        return Optional.empty();
    }
}
