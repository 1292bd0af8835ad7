// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.util.Optional;
import java.util.UUID;
import javax.xml.namespace.QName;
import org.jobgate.job.Fault;
import org.jobgate.soap.Dialect;
import org.jobgate.soap.RequestHead;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlContent;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** How BES speaks SOAP: its typed faults, and headers of WS-Addressing in answers to requests that have some. Most clients send none. */
final class BesDialect implements Dialect {

    private static final String ANONYMOUS = BesNames.ADDRESSING + "/anonymous";
    private static final String FAULT = BesNames.FACTORY + "/BESFactoryPortType/Fault";

    private static final QName CREATE = BesNames.factory("CreateActivity");

    private final BesFaults faults;

    BesDialect(BesFaults faults) {
        this.faults = faults;
    }

    @Override
    public SoapFaultException fault(RequestHead request, Fault fault) {
        return CREATE.equals(request.body()) ? faults.ofCreation(fault) : faults.of(fault);
    }

    @Override
    public Optional<XmlContent> replyHeaders(RequestHead request, String address, @Nullable String action) {
        boolean isAddressed =
                request.headers().stream().map(Element::getNamespaceURI).anyMatch(BesNames.ADDRESSING::equals);
        if (!isAddressed) {
            return Optional.empty();
        }
        Optional<String> relatesTo = request.headerText(BesNames.MESSAGE_ID);
        return Optional.of(out -> {
            out.element(BesNames.MESSAGE_ID, "urn:uuid:" + UUID.randomUUID());
            out.element(BesNames.addressing("To"), ANONYMOUS);
            out.element(BesNames.addressing("Action"), action == null ? FAULT : action);
            relatesTo.ifPresent(id -> out.element(BesNames.addressing("RelatesTo"), id));
        });
    }
}
