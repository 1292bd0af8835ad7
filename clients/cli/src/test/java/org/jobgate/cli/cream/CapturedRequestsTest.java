// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jobgate.cli.stub.TrialCertificates;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.HttpsClient;
import org.jobgate.cli.tls.Identification;
import org.jobgate.cli.tls.ServerName;
import org.jobgate.cli.tls.TrustDirectory;
import org.jobgate.cli.wire.PlainSoap;
import org.jobgate.cli.wire.XmlElement;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our requests say the same as those of the real glite-ce-cream-cli 1.15.4, element by element (facts/cream.md, section 13). */
class CapturedRequestsTest {

    private static final Path CAPTURES =
            Path.of("../../../shared/captures/cream/glite-ce-cream-cli-1.15.4-requests.txt");

    @TempDir
    static Path shared;

    private static Map<String, XmlElement> captured() throws IOException {
        Assumptions.assumeTrue(Files.exists(CAPTURES), "no captures beside the checkout: SKIPPED " + CAPTURES);
        Matcher envelopes = Pattern.compile("<SOAP-ENV:Envelope.*?</SOAP-ENV:Envelope>", Pattern.DOTALL)
                .matcher(Files.readString(CAPTURES));
        return envelopes
                .results()
                .map(found -> body(found.group()))
                .filter(body -> !body.children().isEmpty())
                .map(body -> body.children().getFirst())
                .collect(Collectors.toMap(XmlElement::name, request -> request, (one, next) -> next));
    }

    private static XmlElement body(String envelope) {
        try {
            return XmlElement.read(new ByteArrayInputStream(envelope.getBytes(StandardCharsets.UTF_8)))
                    .children()
                    .getLast();
        } catch (javax.xml.stream.XMLStreamException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Texts that differ from run to run, and the address of the service, are taken out. */
    private static String form(XmlElement element) {
        StringBuilder out = new StringBuilder();
        element.write(out, "");
        return out.toString()
                .replaceAll("https://[^<]*", "URL")
                .replaceAll("JobName_[0-9]+", "job")
                .replaceAll("(<autoStart[^>]*>)[a-z]+", "$1X")
                .replaceAll("(<toEventId[^>]*>)[0-9]+", "$1X")
                .replaceAll("(<leaseTime[^>]*>)[^<]+", "$1X");
    }

    @Test
    void ourRequestsAreThoseOfTheRealCommandLine() throws Exception {
        Map<String, XmlElement> captured = captured();
        TrialCertificates certificates = TrialCertificates.make(shared, "rsa");
        Credential credential = Credential.read(certificates.proxy(), certificates.proxy(), () -> new char[0]);
        try (CreamStub stub = new CreamStub(certificates.serverContext());
                HttpsClient http = new HttpsClient(
                        Identification.of(credential),
                        TrustDirectory.find(
                                Map.of("X509_CERT_DIR", certificates.trust().toString()), shared),
                        new ServerName.Host(),
                        java.time.Duration.ofSeconds(20))) {
            CreamConfig config = CreamConfig.read(null, null, Map.of("HOME", shared.toString()), shared);
            CreamClient client = new CreamClient(new PlainSoap(http, null), config);
            Endpoint endpoint = Endpoint.parse(stub.contact(), 8443);
            CreamClient.Filter one = CreamClient.Filter.of(List.of("CREAM123456789"));
            for (String operation :
                    List.of("JobStatus", "JobInfo", "JobSuspend", "JobResume", "JobCancel", "JobPurge")) {
                stub.answer(operation, "<x/>");
                client.jobs(endpoint, operation, one);
            }
            for (String operation : List.of(
                    "JobStart", "JobRegister", "setLease", "QueryEvent", "ServiceInfo", "acceptNewJobSubmissions")) {
                stub.answer(operation, "<x/>");
            }
            client.jobs(
                    endpoint,
                    "JobStart",
                    new CreamClient.Filter(one.ids(), List.of(), null, null, "mydeleg", "myLease"));
            XmlElement job = requireNonNull(captured.get("JobRegisterRequest"))
                    .children()
                    .getFirst();
            client.register(
                    endpoint,
                    List.of(new CreamClient.Description(
                            "job",
                            String.valueOf(job.childText(CreamClient.TYPES, "JDL")),
                            String.valueOf(job.childText(CreamClient.TYPES, "delegationId")),
                            null,
                            false)));
            client.lease(endpoint, "myLease", "2026-11-25T03:55:14Z");
            client.events(endpoint, "0", "20", 100, List.of());
            client.serviceInfo(endpoint, 2);
            client.accept(endpoint, false);

            for (String name : List.of(
                    "JobStatusRequest",
                    "JobInfoRequest",
                    "JobSuspendRequest",
                    "JobResumeRequest",
                    "JobCancelRequest",
                    "JobPurgeRequest",
                    "JobStartRequest",
                    "JobRegisterRequest",
                    "setLeaseRequest",
                    "QueryEventRequest",
                    "ServiceInfoRequest",
                    "acceptNewJobSubmissions")) {
                assertThat(form(stub.request(name))).as(name).isEqualTo(form(requireNonNull(captured.get(name), name)));
            }
        }
    }
}
