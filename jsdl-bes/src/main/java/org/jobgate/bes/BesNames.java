// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import javax.xml.namespace.QName;

/** The names on the wire: of BES (GFD.108), of WS-Addressing, and our own where BES leaves room. */
final class BesNames {

    static final String FACTORY = "http://schemas.ggf.org/bes/2006/08/bes-factory";
    static final String MANAGEMENT = "http://schemas.ggf.org/bes/2006/08/bes-management";
    static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
    static final String JSDL = "http://schemas.ggf.org/jsdl/2005/11/jsdl";
    static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";

    /** The namespace of our sub-states, extensions and further operations. */
    static final String OURS = "https://jobgate.org/ns/2026/bes";

    static final String BASIC_ADDRESSING = "http://schemas.ggf.org/bes/2006/08/bes/naming/BasicWSAddressing";
    static final String HPC_BASIC_PROFILE = "http://schemas.ogf.org/hpcp/2007/01/bp";

    static final QName ACTIVITY_IDENTIFIER = factory("ActivityIdentifier");
    static final QName ACTIVITY_DOCUMENT = factory("ActivityDocument");
    static final QName ACTIVITY_STATUS = factory("ActivityStatus");
    static final QName RESPONSE = factory("Response");
    static final QName FAULT = factory("Fault");
    static final QName MESSAGE_ID = addressing("MessageID");

    private BesNames() {}

    static QName factory(String name) {
        return new QName(FACTORY, name, "bes");
    }

    static QName management(String name) {
        return new QName(MANAGEMENT, name, "besm");
    }

    static QName addressing(String name) {
        return new QName(ADDRESSING, name, "wsa");
    }

    static QName jsdl(String name) {
        return new QName(JSDL, name, "jsdl");
    }

    static QName ours(String name) {
        return new QName(OURS, name, "jg");
    }
}
