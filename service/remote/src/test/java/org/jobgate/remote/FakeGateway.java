// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;

/** The other gateway in memory: keeps its promise of one job for each JobID, and can be away, deaf or unwilling. */
final class FakeGateway implements Exchange {

    /** Keys by JobID, in the order of their submission. */
    final Map<String, String> keys = new LinkedHashMap<>();

    /** What it answers for the properties of a job, by key. */
    final Map<String, String> properties = new LinkedHashMap<>();

    final List<String> asked = new ArrayList<>();

    /** What was delegated, by name. */
    final Map<String, String> credentials = new LinkedHashMap<>();

    boolean away;

    /** Only its delegation service. */
    boolean takesNoDelegation;

    /** The credentials that it refuses begin so. */
    String refusedCredentials = "nothing";

    /** Is done before it takes a credential. */
    Runnable beforeCredential = () -> {};

    boolean losesAnswers;
    String refusal = "";

    @Override
    public Answer post(ClientCredential as, URI address, String action, byte[] envelope) throws IOException {
        if (away) {
            throw new IOException("connection refused");
        }
        XmlElement request = XmlTree.parse(envelope, XmlLimits.defaults());
        XmlElement body = request.child("Body").orElseThrow().children().getFirst();
        String key = request.child("Header")
                .flatMap(header -> header.child("ResourceID"))
                .map(XmlElement::text)
                .orElse("");
        asked.add(body.localName());
        if (takesNoDelegation && address.getPath().endsWith("gridsite-delegation")) {
            throw new IOException("HTTP status 404");
        }
        Answer answer = answer(body, key);
        if (losesAnswers) {
            throw new IOException("connection reset");
        }
        return answer;
    }

    private Answer answer(XmlElement body, String key) {
        return switch (body.localName()) {
            case "createManagedJob" -> refusal.isEmpty() ? created(body) : fault(refusal, "it is not wanted");
            case "listJobs" -> list();
            case "Destroy" -> properties.remove(key) == null ? unknown() : ok("<DestroyResponse/>");
            case "terminate" -> terminate(key);
            case "getProxyReq" ->
                ok("<R><getProxyReqReturn>request of " + text(body, "delegationID") + "</getProxyReqReturn></R>");
            case "putProxy" -> {
                beforeCredential.run();
                if (text(body, "proxy").startsWith(refusedCredentials)) {
                    yield fault("DelegationException", "it is not trusted");
                }
                credentials.put(text(body, "delegationID"), text(body, "proxy"));
                yield ok("<R/>");
            }
            case "destroy" -> credentials.remove(text(body, "delegationID")) == null ? unknown() : ok("<R/>");
            default -> properties.containsKey(key) ? ok("<R>" + properties.get(key) + "</R>") : unknown();
        };
    }

    private static String text(XmlElement body, String name) {
        return body.child(name).orElseThrow().text();
    }

    private Answer created(XmlElement body) {
        String id = body.child("JobID").orElseThrow().text();
        String key = keys.computeIfAbsent(id, name -> "key-" + keys.size());
        properties.putIfAbsent(key, "<state>Pending</state>");
        return ok("<R><managedJobEndpoint><Address>https://other/x</Address><ReferenceParameters><ResourceID>" + key
                + "</ResourceID></ReferenceParameters></managedJobEndpoint></R>");
    }

    private Answer list() {
        StringBuilder jobs = new StringBuilder();
        keys.forEach(
                (id, key) -> jobs.append("<job><ResourceID>" + key + "</ResourceID><JobID>" + id + "</JobID></job>"));
        return ok("<R>" + jobs + "</R>");
    }

    private Answer terminate(String key) {
        return properties.computeIfPresent(key, (name, old) -> "<state>UserTerminateDone</state>") == null
                ? unknown()
                : ok("<R/>");
    }

    private static Answer ok(String content) {
        return new Answer(200, envelope(content));
    }

    private static Answer unknown() {
        return fault("ResourceUnknownFault", "there is no job");
    }

    private static Answer fault(String type, String sentence) {
        return new Answer(
                500,
                envelope("<s:Fault><faultcode>x</faultcode><faultstring/><detail><" + type + "><Description>" + sentence
                        + "</Description></" + type + "></detail></s:Fault>"));
    }

    private static byte[] envelope(String content) {
        return ("<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + content
                        + "</s:Body></s:Envelope>")
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {}
}
