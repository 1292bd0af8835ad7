// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xml;

import javax.xml.namespace.QName;

/** Names that belong to XML Schema instances. */
public final class XmlNames {

    public static final String XSI = "http://www.w3.org/2001/XMLSchema-instance";
    public static final QName XSI_NIL = new QName(XSI, "nil", "xsi");
    public static final QName XSI_TYPE = new QName(XSI, "type", "xsi");

    private XmlNames() {}
}
