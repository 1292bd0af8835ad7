// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.SoapFault;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;

/** Our faults as CXF's. */
final class CxfFaults {

    private CxfFaults() {}

    static SoapFault of(SoapFaultException fault) {
        QName code = fault.standardCode()
                .orElseGet(() -> new QName(Soap11.SOAP_NAMESPACE, fault.code().wireName()));
        SoapFault result = new SoapFault(String.valueOf(fault.getMessage()), fault, code);
        XmlContent detail = fault.detail();
        if (detail != null) {
            result.setDetail(XmlWriter.toDom(new QName("detail"), detail));
        }
        return result;
    }
}
