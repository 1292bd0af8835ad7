// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import java.util.Set;
import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.phase.Phase;

/** Tells CXF which header blocks a service reads, so that a request is not refused that demands it (SOAP 1.1 section 4.2.3). */
final class UnderstoodHeaders extends AbstractSoapInterceptor {

    private final Set<QName> names;

    UnderstoodHeaders(Set<QName> names) {
        super(Phase.PRE_PROTOCOL);
        this.names = Set.copyOf(names);
    }

    @Override
    public Set<QName> getUnderstoodHeaders() {
        return names;
    }

    @Override
    public void handleMessage(SoapMessage message) {
        // the service reads them itself
    }
}
