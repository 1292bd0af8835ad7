// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Envelopes that hold more than one operation, or anything beside it: nothing of them is done. */
class EnvelopesTest {

    /** In every text above: begins and ends an envelope. */
    private static final String BEGIN = "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'>";

    private static final String END = "</s:Envelope>";

    /** Larger than what any reader has at hand. */
    private static final String LONG = "<x>" + "y".repeat(100_000) + "</x>";

    /** What was asked of the services. */
    private static final List<String> DONE = new CopyOnWriteArrayList<>();

    private static SoapServer server;

    @BeforeAll
    static void start() {
        server = new SoapServer();
        publish("Plain", MessageGuards.NONE);
        publish(
                "Guarded",
                service -> Optional.of(request -> new MessageGuard.Opened(
                        new String(request.envelope(), StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8),
                        null,
                        null,
                        null)));
        publish(
                "Answering",
                service -> Optional.of(request -> new MessageGuard.Opened(request.envelope(), null, null, reply())));
    }

    private static void publish(String name, MessageGuards guards) {
        new SoapPublisher(
                        server.baseUrl(),
                        SoapLimits.defaults(),
                        new PlainDialect(),
                        query -> Optional.empty(),
                        guards,
                        false)
                .publish(server.bus(), new Counting(name));
    }

    private static Reply reply() {
        return new Reply("urn:done", out -> out.empty(new QName("urn:test", "done")));
    }

    private record Counting(String name) implements SoapService {
        @Override
        public Reply answer(SoapCall call) {
            DONE.add(call.body().localName());
            return reply();
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void forget() {
        DONE.clear();
    }

    private static String envelope(String content) {
        return BEGIN + content + END;
    }

    @ParameterizedTest
    @ValueSource(strings = {"Plain", "Guarded"})
    void oneOperationIsDone(String service) {
        for (String good : List.of(
                envelope("<s:Body><a/></s:Body>"),
                envelope("<s:Header/><s:Body><a/></s:Body>"),
                envelope(
                        "\n <s:Header>\n <h>t</h> </s:Header> <!-- c -->\n<s:Body> <!-- c --> <a>t<b/>u</a> <?p i?>\n</s:Body>\n"),
                envelope("<s:Body><a>" + LONG + "</a></s:Body>") + "\n<!-- over -->\n",
                "<?xml version='1.0'?><!-- c -->" + envelope("<s:Body><a><s:Body/><s:Envelope/></a></s:Body>"))) {
            assertThat(server.post(service, good).body().localName()).as(good).isEqualTo("done");
        }
        assertThat(DONE).hasSize(5).containsOnly("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Plain", "Guarded", "Answering"})
    void whatIsBesideTheOperationIsRefused(String service) {
        for (String[] bad : new String[][] {
            {"<s:Body><a/></s:Body><s:Body><b/></s:Body>", "Body behind its Body"},
            {"<s:Body><a/></s:Body><s:Body/>", "Body behind its Body"},
            {"<s:Body><a/><b/></s:Body>", "second element, b"},
            {"<s:Body><a/><a/></s:Body>", "second element, a"},
            {"<s:Body><a>" + LONG + "</a><b/></s:Body>", "second element, b"},
            {"<s:Body><a/>" + " ".repeat(20_000) + "<b>" + LONG + "</b></s:Body>", "second element, b"},
            {"<s:Body><a/>text</s:Body>", "body holds text"},
            {"<s:Body><a/><![CDATA[text]]></s:Body>", "body holds text"},
            {"<s:Body><a/>&#120;</s:Body>", "body holds text"},
            {"<s:Body>text<a/></s:Body>", "body holds text"},
            {"<s:Body><a/></s:Body>text", "envelope holds text"},
            {"text<s:Body><a/></s:Body>", "envelope holds text"},
            {"<s:Body><a/></s:Body><x/>", "x behind its Body"},
            {"<s:Body><a/></s:Body><s:Header><x/></s:Header>", "Header behind its Body"},
            {"<x/><s:Body><a/></s:Body>", "x before its Body"},
            {"<s:Header/><s:Header/><s:Body><a/></s:Body>", "Header before its Body"},
            {"<Header/><s:Body><a/></s:Body>", "Header before its Body"},
            {"<s:Header>text</s:Header><s:Body><a/></s:Body>", "header holds text"},
        }) {
            Answer answer = server.post(service, envelope(bad[0]));
            assertThat(answer.clientFault()).contains(bad[1], "request of its own");
        }
        assertThat(DONE).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"<x/>", "text", "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'/>", "&#0;"})
    void whatIsBehindTheEnvelopeIsRefused(String rest) {
        Answer answer = server.post("Plain", envelope("<s:Body><a/></s:Body>") + rest);
        assertThat(answer.clientFault()).contains("not well-formed");
        assertThat(DONE).isEmpty();
    }

    @Test
    void anEnvelopeThatBreaksOffBehindItsOperationIsRefused() {
        for (String cut : List.of("<s:Body><a/>", "<s:Body><a/></s:Body>", "<s:Body><a/></s:Header>")) {
            assertThat(server.post("Plain", BEGIN + cut).clientFault()).contains("not well-formed");
        }
        assertThat(DONE).isEmpty();
    }

    @Test
    void anEmptyBodyIsToldSo() {
        assertThat(server.post("Plain", envelope("<s:Body/>")).clientFault()).contains("The SOAP body is empty");
        assertThat(DONE).isEmpty();
    }
}
