// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;

/** What is behind one address. */
public interface SoapService {

    /** The last part of its address, e.g. {@code ManagedJobFactoryService}. */
    String name();

    /**
     * Which operation a request with an empty Body asks for, as some clients send those that have no arguments. WSDL 1.1 lets a message
     * have no parts; then only the header SOAPAction says what it is.
     *
     * @param soapAction the value of the header, without quotes
     * @return the element that would ask for it; empty where such a request is none
     */
    default Optional<QName> operationOf(String soapAction) {
        return Optional.empty();
    }

    /** The header blocks that it reads although a client demands that they be understood; others of that kind are refused. */
    default Set<QName> understoodHeaders() {
        return Set.of();
    }

    /**
     * Answers one request.
     *
     * @throws SoapFaultException to answer a fault
     */
    Reply answer(SoapCall call);
}
