// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not a request that we understand gets a clear SOAP fault, and the next request is answered as if nothing had been. */
class BadRequestsTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String JOB = "ManagedExecutableJobService";
    private static final String GOOD = Envelopes.job("<d:executable>/bin/date</d:executable>");
    private static final Door DOOR = new Door();

    @AfterAll
    static void close() {
        DOOR.close();
    }

    @AfterEach
    void theNextRequestIsAnswered() {
        assertThat(DOOR.post(FACTORY, GOOD).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
                "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\"><soapenv:Body>"
                        + "</soapenv:Body></soapenv:Envelope>",
                "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\"><soapenv:Body><a>"
                        + "</soapenv:Body></soapenv:Envelope>",
                "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\"><soapenv:Header><x>"
                        + "</soapenv:Header><soapenv:Body><a/></soapenv:Body></soapenv:Envelope>",
                "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\"><soapenv:Body><a>x &lt<b/></a>"
                        + "</soapenv:Body></soapenv:Envelope>",
                "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\"><soapenv:Body><a>&x;</a>"
                        + "</soapenv:Body></soapenv:Envelope>"
            })
    void whatIsNoSoapMessageIsTheClientsFault(String request) {
        assertThat(DOOR.post(FACTORY, request).clientFault()).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {"<a>", "<a/>", "<Envelope/>"})
    void anotherRootIsNoSoapMessage(String request) {
        Answer answer = DOOR.post(FACTORY, request);

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.one("faultcode")).endsWith(":VersionMismatch");
    }

    @Test
    void aDocumentTypeIsRefusedEvenBeforeAGoodRequest() {
        String bomb =
                "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>";

        assertThat(DOOR.post(FACTORY, bomb + GOOD).clientFault()).isNotBlank();
    }

    @Test
    void anExternalEntityIsNotFetched() {
        String envelope = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
                + GOOD.replace("/bin/date", "&x;");

        Answer answer = DOOR.post(FACTORY, envelope);

        assertThat(answer.clientFault()).doesNotContain("root:");
    }

    @Test
    void anotherSoapVersionIsSaidToBeWrong() {
        String soap12 =
                GOOD.replace("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope");

        Answer answer = DOOR.post(FACTORY, soap12);

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.one("faultcode")).endsWith(":VersionMismatch");
    }

    @Test
    void aWrongNamespaceIsAnUnknownOperation() {
        String wrong = GOOD.replace(Generation.GT40.gram() + "\" xmlns:d", "urn:wrong\" xmlns:d");

        assertThat(DOOR.post(FACTORY, wrong).clientFault()).contains("{urn:wrong}createManagedJob", "Call one of:");
    }

    @Test
    void anOperationOfAnotherServiceIsUnknown() {
        assertThat(DOOR.post(JOB, GOOD).clientFault()).contains("ManagedExecutableJobService has no operation");
    }

    @Test
    void aMissingResourceIdIsSaidToBeMissing() {
        String body = "<Destroy xmlns=\"" + Generation.GT40.wsrl() + "\"/>";

        assertThat(DOOR.post(JOB, Envelopes.of("", body)).clientFault()).contains("ResourceID", "missing");
        assertThat(DOOR.post(FACTORY, GOOD.replaceFirst("<ns1:ResourceID.*</ns1:ResourceID>", ""))
                        .clientFault())
                .contains("Fork, Slurm");
    }

    @Test
    void aKeyThatCannotBeAJobsIsAnUnknownResource() {
        XmlElement fault = DOOR.post(JOB, Envelopes.destroy("x".repeat(5000))).fault();

        assertThat(fault.name().getNamespaceURI()).isEqualTo(Generation.GT40.wsrl());
        assertThat(fault.localName()).isEqualTo("ResourceUnknownFault");
    }

    @Test
    void aMillionElementsAreRefusedWithTheLimit() {
        String request = Envelopes.job("<d:executable>/bin/date</d:executable>"
                + "<d:environment><d:name>a</d:name><d:value>b</d:value></d:environment>".repeat(20_000));

        assertThat(DOOR.post(FACTORY, request).all("faultstring").getFirst()).containsIgnoringCase("limit");
    }

    @Test
    void deepElementsAreRefused() {
        String request = Envelopes.job("<d:extensions>" + "<a>".repeat(2000) + "</a>".repeat(2000) + "</d:extensions>");

        assertThat(DOOR.post(FACTORY, request).all("faultstring").getFirst()).containsIgnoringCase("limit");
    }

    @Test
    void deepHeadersAreRefused() {
        String request =
                GOOD.replace("<soapenv:Header>", "<soapenv:Header>" + "<a>".repeat(5000) + "</a>".repeat(5000));

        assertThat(DOOR.post(FACTORY, request).clientFault()).isNotBlank();
    }

    @Test
    void aBodyOverTheLimitIsRefusedWithTheLimit() {
        String request = GOOD.replace("/bin/date", "x".repeat(6 * 1024 * 1024));

        Answer answer = DOOR.post(FACTORY, request);

        assertThat(answer.one("faultstring")).contains("limits.maxBodyBytes = 4194304");
    }

    @Test
    void aBrokenStoreIsATypedFault() {
        DOOR.store.failWith(new IllegalStateException("disk on fire"));
        try {
            Answer answer = DOOR.post(FACTORY, GOOD);

            assertThat(answer.fault().localName()).isEqualTo("internalFault");
            assertThat(answer.text()).doesNotContain("disk on fire").doesNotContain("java.");
        } finally {
            DOOR.store.failWith(null);
        }
    }

    @Test
    void aHeaderThatMustBeUnderstoodAndIsNotIsRefused() {
        String request = GOOD.replace(
                "<soapenv:Header>", "<soapenv:Header><x:y xmlns:x=\"urn:x\" soapenv:mustUnderstand=\"1\"/>");

        Answer answer = DOOR.post(FACTORY, request);

        assertThat(answer.one("faultcode")).endsWith(":MustUnderstand");
    }

    @Test
    void aGetIsToldWhatThisIs() {
        Answer answer = DOOR.get(FACTORY);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.text()).contains("SOAP", "?wsdl");
    }

    @Test
    void noFaultTellsOfOurInsides() {
        for (String request : List.of("", "<a>", "hello", GOOD.replace("createManagedJob", "nonsense"))) {
            assertThat(DOOR.post(FACTORY, request).text())
                    .doesNotContain("org.apache")
                    .doesNotContain("com.ctc")
                    .doesNotContain("Exception");
        }
    }
}
