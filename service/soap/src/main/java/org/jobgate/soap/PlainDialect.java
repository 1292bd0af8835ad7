// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.xml.XmlContent;
import org.jspecify.annotations.Nullable;

/** SOAP without anything above it. */
final class PlainDialect implements Dialect {

    @Override
    public SoapFaultException fault(RequestHead request, Fault fault) {
        return new SoapFaultException(
                SoapFaultException.Code.of(fault.origin()), (fault.sentence() + " " + fault.remedy()).strip(), null);
    }

    @Override
    public Optional<XmlContent> replyHeaders(RequestHead request, String address, @Nullable String action) {
        return Optional.empty();
    }
}
