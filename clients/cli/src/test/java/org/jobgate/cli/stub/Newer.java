// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.stub;

import javax.xml.stream.XMLStreamException;

/**
 * A service of GT 4.2 made of one of GT 4.0: what comes must be in the names of 4.2 (facts/gram4.md section 1.1, captures 50, 52 and 55),
 * what goes is put into them. The names stand here once more, apart from those of the program under test.
 */
final class Newer {
    private static final String JOB_40 = "http://www.globus.org/namespaces/2004/10/gram/job";
    private static final String JOB_42 = "http://www.globus.org/namespaces/2008/03/gram/job";
    private static final String[][] NAMES = {
        {
            "http://schemas.xmlsoap.org/ws/2004/03/addressing/role/anonymous",
            "http://www.w3.org/2005/08/addressing/anonymous"
        },
        {"http://schemas.xmlsoap.org/ws/2004/03/addressing", "http://www.w3.org/2005/08/addressing"},
        {
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties-1.2-draft-01.xsd",
            "http://docs.oasis-open.org/wsrf/rp-2"
        },
        {
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime-1.2-draft-01.xsd",
            "http://docs.oasis-open.org/wsrf/rl-2"
        },
        {
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-BaseFaults-1.2-draft-01.xsd",
            "http://docs.oasis-open.org/wsrf/bf-2"
        },
        {JOB_40, JOB_42},
        {"ReferenceProperties", "ReferenceParameters"},
    };
    private static final String DRAFT =
            "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>"
                    + "<soap:Fault><faultcode>soap:Client</faultcode><faultstring>Addressing header is a draft version of WS"
                    + " Addressing: http://schemas.xmlsoap.org/ws/2004/03/addressing</faultstring></soap:Fault></soap:Body>"
                    + "</soap:Envelope>";

    private Newer() {}

    /** The service of GT 4.0 behind. */
    interface Older {
        String answer(String request) throws XMLStreamException;
    }

    static String answer(String request, Older service) throws XMLStreamException {
        if (request.contains(NAMES[1][0])) {
            return DRAFT;
        }
        if (request.contains("2004/") || request.contains("<Destroy") || !request.contains("<wsa:Action ")) {
            throw new XMLStreamException("a message of GT 4.2 with something of GT 4.0: " + request);
        }
        boolean isTerminate = request.contains("<terminate xmlns=\"" + JOB_42 + "/terminate\">");
        boolean isRelease = request.contains("<release xmlns=\"" + JOB_42 + "/release\"/>");
        if (request.contains("terminate") != isTerminate || request.contains("<release") != isRelease) {
            throw new XMLStreamException("terminate and release have namespaces of their own in GT 4.2");
        }
        String older = request;
        for (String[] name : NAMES) {
            older = older.replace("\"" + name[1], "\"" + name[0]);
        }
        String reply = service.answer(older);
        for (String[] name : NAMES) {
            reply = reply.replace(name[0], name[1]);
        }
        return isTerminate
                ? reply.replaceFirst(
                        "<wsrl:DestroyResponse */>",
                        "<term:terminateResponse xmlns:term=\"" + JOB_42
                                + "/terminate\"><term:terminationCompleted>true"
                                + "</term:terminationCompleted></term:terminateResponse>")
                : reply;
    }
}
