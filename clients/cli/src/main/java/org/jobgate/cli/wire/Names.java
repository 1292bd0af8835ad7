// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

/** Namespaces and actions of GRAM4 4.0 (facts/gram4.md sections 1.1, 1.4 and 1.6). */
public final class Names {
    public static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    public static final String WSA = "http://schemas.xmlsoap.org/ws/2004/03/addressing";
    public static final String WSA_2005 = "http://www.w3.org/2005/08/addressing";
    public static final String WSA_ANONYMOUS = WSA + "/role/anonymous";
    public static final String JOB = "http://www.globus.org/namespaces/2004/10/gram/job";
    public static final String TYPES = JOB + "/types";
    public static final String FAULTS = JOB + "/faults";
    public static final String DESCRIPTION = JOB + "/description";
    public static final String RFT = "http://www.globus.org/namespaces/2004/10/rft";
    public static final String DELEGATION = "http://www.globus.org/08/2004/delegationService";
    public static final String PROPERTIES =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties-1.2-draft-01.xsd";
    public static final String LIFETIME =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime-1.2-draft-01.xsd";
    public static final String BASE_FAULTS =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-BaseFaults-1.2-draft-01.xsd";
    public static final String NOTIFICATION =
            "http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd";
    public static final String CORE = "http://www.globus.org/namespaces/2004/06/core";
    public static final String SIMPLE_TOPIC = "http://docs.oasis-open.org/wsn/2004/06/TopicExpression/Simple";
    public static final String XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116";
    public static final String XSI = "http://www.w3.org/2001/XMLSchema-instance";
    /** Our extension: the header with which a client asks the server to answer when something changed. */
    public static final String WAIT = "https://jobgate.org/ns/2026/wait";

    public static final String CREATE_ACTION = JOB + "/ManagedJobFactoryPortType/createManagedJobRequest";
    public static final String RELEASE_ACTION = JOB + "/release";
    public static final String GET_PROPERTY_ACTION =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties/GetResourceProperty";
    public static final String GET_PROPERTIES_ACTION =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties/GetMultipleResourceProperties";
    public static final String DESTROY_ACTION =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime/Destroy";

    public static final String SET_TERMINATION_ACTION =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime/SetTerminationTime";
    public static final String QUERY_ACTION =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties/QueryResourceProperties";
    public static final String SUBSCRIBE_ACTION =
            "http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification/Subscribe";

    private Names() {}
}
