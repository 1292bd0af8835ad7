// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import org.jobgate.gt4.Generation;

/** Requests as GT 4.0 clients write them. */
public final class Envelopes {

    private Envelopes() {}

    public static String of(String headers, String body) {
        return "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\""
                + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:wsa=\"" + Generation.GT40.wsa()
                + "\">"
                + "<soapenv:Header><wsa:MessageID soapenv:mustUnderstand=\"0\">uuid:request-1</wsa:MessageID>" + headers
                + "</soapenv:Header><soapenv:Body>" + body + "</soapenv:Body></soapenv:Envelope>";
    }

    public static String resource(String id) {
        return "<ns1:ResourceID xmlns:ns1=\"" + Generation.GT40.gram() + "\" soapenv:mustUnderstand=\"0\">" + id
                + "</ns1:ResourceID>";
    }

    public static String create(String content) {
        return create("Fork", content);
    }

    public static String create(String lrm, String content) {
        return of(
                resource(lrm),
                "<createManagedJob xmlns=\"" + Generation.GT40.gram() + "\" xmlns:d=\"" + Generation.GT40.gram()
                        + "/description\">" + content + "</createManagedJob>");
    }

    public static String job(String content) {
        return create("<d:job>" + content + "</d:job>");
    }

    public static String property(String id, String name) {
        return of(
                resource(id),
                "<p:GetResourceProperty xmlns:p=\"" + Generation.GT40.wsrp() + "\" xmlns:types=\""
                        + Generation.GT40.gram() + "/types\" xmlns:faults=\"" + Generation.GT40.gram()
                        + "/faults\" xmlns:desc=\"" + Generation.GT40.gram() + "/description\" xmlns:wsrl=\""
                        + Generation.GT40.wsrl() + "\" xmlns:wsnt=\"" + Generation.GT40.wsnt() + "\" xmlns:exec=\""
                        + Generation.GT40.gram() + "/exec\" xmlns:rdv=\""
                        + Generation.GT40.rendezvous("").getNamespaceURI()
                        + "\" xmlns:multi=\"" + Generation.GT40.gram()
                        + "/multi\" xmlns:own=\"https://jobgate.org/ns/2026/job\" xmlns:job=\"" + Generation.GT40.gram()
                        + "\">" + name
                        + "</p:GetResourceProperty>");
    }

    public static String destroy(String id) {
        return of(resource(id), "<Destroy xmlns=\"" + Generation.GT40.wsrl() + "\"/>");
    }
}
