// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.wsrf;

import javax.xml.namespace.QName;

/**
 * The namespaces of one generation of GT4 (facts/gram4.md section 1.1). A request belongs to the generation whose namespaces it uses.
 *
 * @param wsa WS-Addressing
 * @param wsrp WS-ResourceProperties
 * @param wsrl WS-ResourceLifetime
 * @param wsbf WS-BaseFaults
 * @param wsnt WS-BaseNotification
 * @param core of the subscription and consumer keys
 * @param gram what the namespaces of GRAM begin with
 */
public record Generation(String wsa, String wsrp, String wsrl, String wsbf, String wsnt, String core, String gram) {

    /** GT 4.0. */
    public static final Generation GT40 = new Generation(
            "http://schemas.xmlsoap.org/ws/2004/03/addressing",
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties-1.2-draft-01.xsd",
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime-1.2-draft-01.xsd",
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-BaseFaults-1.2-draft-01.xsd",
            "http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd",
            "http://www.globus.org/namespaces/2004/06/core",
            "http://www.globus.org/namespaces/2004/10/gram/job");

    public static final String PROPERTIES_ACTION =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties/";
    public static final String LIFETIME_ACTION = "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime/";
    public static final String NOTIFICATION_ACTION = "http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification/";
    public static final String SIMPLE_TOPICS = "http://docs.oasis-open.org/wsn/2004/06/TopicExpression/Simple";

    public QName addressing(String local) {
        return new QName(wsa, local, "wsa");
    }

    public QName properties(String local) {
        return new QName(wsrp, local, "wsrp");
    }

    public QName lifetime(String local) {
        return new QName(wsrl, local, "wsrl");
    }

    public QName baseFault(String local) {
        return new QName(wsbf, local, "wsbf");
    }

    public QName notification(String local) {
        return new QName(wsnt, local, "wsnt");
    }

    public QName core(String local) {
        return new QName(core, local, "core");
    }

    public QName job(String local) {
        return new QName(gram, local, "job");
    }

    public QName types(String local) {
        return new QName(gram + "/types", local, "types");
    }

    public QName faults(String local) {
        return new QName(gram + "/faults", local, "faults");
    }

    public QName description(String local) {
        return new QName(gram + "/description", local, "desc");
    }

    public QName exec(String local) {
        return new QName(gram + "/exec", local, "exec");
    }

    /** Who to answer: the sender itself. */
    public String anonymous() {
        return wsa + "/role/anonymous";
    }
}
