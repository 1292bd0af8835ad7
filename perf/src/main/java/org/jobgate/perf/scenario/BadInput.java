// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jobgate.perf.wire.GramMessages;

/**
 * What a careless or hostile client may send, and what the answer must say.
 *
 * @param name what is wrong with it
 * @param path where it is sent
 * @param message makes the body, which may be long
 * @param status of the answer, as a regular expression
 * @param says what the answer must hold, as a regular expression
 */
record BadInput(String name, String path, Supplier<String> message, String status, String says) {

    private static final String JOB = "http://www.globus.org/namespaces/2004/10/gram/job";
    private static final int MEBIBYTE = 1_048_576;

    /** A message to the factory that SOAP must refuse or fault. */
    private static BadInput factory(String name, Supplier<String> message, String says) {
        return new BadInput(name, GramMessages.FACTORY_PATH, message, "500", says);
    }

    /** A whole envelope around a job description that must be refused. */
    private static BadInput job(String name, Supplier<String> elements, String says) {
        return factory(name, () -> envelope("Fork", create("", elements.get())), says);
    }

    static List<BadInput> all() {
        List<BadInput> inputs = new ArrayList<>();
        inputs.addAll(notSoap());
        inputs.addAll(wrongRequests());
        inputs.addAll(wrongJobs());
        return inputs;
    }

    private static List<BadInput> notSoap() {
        return List.of(
                factory("nothing at all", () -> "", "faultstring"),
                factory("text that is not XML", () -> "hello", "faultstring"),
                factory("malformed XML", () -> "<a><b>", "faultstring"),
                factory("XML that is not SOAP", () -> "<a/>", "faultstring"),
                factory(
                        "a document type",
                        () -> "<!DOCTYPE a>" + envelope("Fork", create("", executable())),
                        "faultstring"),
                factory("an entity bomb", BadInput::entityBomb, "faultstring"),
                factory(
                        "an external entity",
                        () -> "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
                                + envelope("Fork", create("", "<executable>&x;</executable>")),
                        "(?s)^(?!.*root:x:).*faultstring"),
                factory(
                        "a thousand nested elements",
                        () -> envelope("Fork", "<a>".repeat(1000) + "</a>".repeat(1000)),
                        "faultstring"),
                factory(
                        "a NUL character",
                        () -> envelope("Fork", create("", "<executable>/bin/true&#0;</executable>")),
                        "faultstring"),
                new BadInput(
                        "a body of 12 MiB",
                        GramMessages.FACTORY_PATH,
                        () -> envelope(
                                "Fork", create("", "<executable>" + "x".repeat(12 * MEBIBYTE) + "</executable>")),
                        "413",
                        "limits.maxBodyBytes"));
    }

    private static List<BadInput> wrongRequests() {
        return List.of(
                factory(
                        "an operation that is not there",
                        () -> envelope("Fork", "<x:fly xmlns:x=\"" + JOB + "\"/>"),
                        "faultstring"),
                factory(
                        "an operation in a wrong namespace",
                        () -> envelope("Fork", "<createManagedJob xmlns=\"urn:wrong\"><job/></createManagedJob>"),
                        "faultstring"),
                factory("an LRM that is not there", () -> envelope("Nowhere", create("", executable())), "Fork"),
                factory(
                        "a termination time in the past",
                        () -> envelope(
                                "Fork",
                                create(
                                        "<InitialTerminationTime>2001-01-01T00:00:00Z</InitialTerminationTime>",
                                        executable())),
                        "termination"),
                factory(
                        "a termination time that is no time",
                        () -> envelope(
                                "Fork", create("<InitialTerminationTime>soon</InitialTerminationTime>", executable())),
                        "InitialTerminationTime"),
                new BadInput(
                        "a job that is not there",
                        GramMessages.JOB_PATH,
                        () -> envelope(
                                UUID.randomUUID().toString(),
                                "<GetResourceProperty xmlns=\"http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties-1.2-draft-01.xsd\""
                                        + " xmlns:t=\"" + JOB + "/types\">t:state</GetResourceProperty>"),
                        "500",
                        "ResourceUnknownFault"));
    }

    private static List<BadInput> wrongJobs() {
        return List.of(
                job("no executable", () -> "", "executable"),
                job("an element that is not there", () -> executable() + "<argumnet>x</argumnet>", "argumnet"),
                job("a count of zero", () -> executable() + "<count>0</count>", "count"),
                job("a count that is no number", () -> executable() + "<count>many</count>", "count"),
                job(
                        "a hold that is not possible",
                        () -> executable() + "<holdState>Active</holdState>",
                        "holdState|Active"),
                job(
                        "an account that is not the user's",
                        () -> executable() + "<localUserId>nobody-such</localUserId>",
                        "nobody-such"),
                job("files to be staged", BadInput::staging, "transferCredentialEndpoint"),
                job(
                        "10,000 arguments",
                        () -> executable() + "<argument>x</argument>".repeat(10_000),
                        "limits.maxArguments"),
                job(
                        "100,000 environment variables",
                        () -> executable()
                                + "<environment><name>A</name><value>b</value></environment>".repeat(100_000),
                        "limits.maxEnvironment|gram.maxXmlElements"),
                job(
                        "an argument of 1 MiB",
                        () -> executable() + "<argument>" + "x".repeat(MEBIBYTE) + "</argument>",
                        "limits.maxTextBytes|gram.maxXmlTextCharacters"),
                job(
                        "a name of a variable with an equals sign",
                        () -> executable() + "<environment><name>A=B</name><value>b</value></environment>",
                        "A=B"));
    }

    private static String entityBomb() {
        StringBuilder bomb = new StringBuilder("<!DOCTYPE a [<!ENTITY e0 \"ha\">");
        for (int i = 1; i < 30; i++) {
            bomb.append("<!ENTITY e")
                    .append(i)
                    .append(" \"&e")
                    .append(i - 1)
                    .append(";&e")
                    .append(i - 1)
                    .append(";\">");
        }
        return bomb.append("]>")
                .append(envelope("Fork", create("", "<executable>&e29;</executable>")))
                .toString();
    }

    private static String staging() {
        return executable() + "<fileStageIn><transfer><sourceUrl>gsiftp://a/b</sourceUrl>"
                + "<destinationUrl>file:///tmp/b</destinationUrl></transfer></fileStageIn>";
    }

    private static String executable() {
        return "<executable>/bin/true</executable>";
    }

    /** A create request: what comes before the job, and what is in it. */
    static String create(String before, String elements) {
        return "<createManagedJob xmlns=\"" + JOB + "\">" + before + "<job xmlns=\"" + JOB + "/description\">"
                + elements + "</job></createManagedJob>";
    }

    static String envelope(String resource, String body) {
        return "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Header><j:ResourceID xmlns:j=\""
                + JOB + "\">" + resource + "</j:ResourceID></s:Header><s:Body>" + body + "</s:Body></s:Envelope>";
    }
}
