// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static org.jobgate.cli.cream.CreamStub.TYPES;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.TimeZone;
import org.jobgate.cli.stub.TrialCertificates;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A computing element that answers as a test says, and a user with a proxy who runs the commands before it. */
abstract class CreamCommandRoom {

    static final TimeZone ZONE = TimeZone.getDefault();

    @TempDir
    static Path shared;

    static TrialCertificates certificates;

    @TempDir
    Path folder;

    final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    String answer = "";
    CreamStub stub;

    @BeforeAll
    static void service() {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        certificates = TrialCertificates.make(shared, "rsa");
    }

    @AfterAll
    static void zone() {
        TimeZone.setDefault(ZONE);
    }

    @BeforeEach
    void user() throws Exception {
        stub = new CreamStub(certificates.serverContext());
        environment.put("HOME", folder.toString());
        environment.put("X509_USER_PROXY", certificates.proxy().toString());
        environment.put("X509_CERT_DIR", certificates.trust().toString());
    }

    @AfterEach
    void end() {
        stub.close();
    }

    int run(String name, String... words) {
        out.reset();
        errors.reset();
        return new CreamCommands(
                        environment,
                        Clock.fixed(Instant.parse("2026-11-25T03:00:00Z"), ZoneOffset.UTC),
                        new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(errors, true, StandardCharsets.UTF_8),
                        folder.resolve("etc"))
                .call(name, words);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String errors() {
        return errors.toString(StandardCharsets.UTF_8);
    }

    String id(String number) {
        return "https://" + stub.contact() + "/CREAM" + number;
    }

    static String element(String name, String content) {
        return "<" + name + " xmlns=\"" + TYPES + "\">" + content + "</" + name + ">";
    }

    String jobId(String number) {
        return "<jobId><id>CREAM" + number + "</id><creamURL>https://" + stub.contact()
                + "/ce-cream/services/CREAM2</creamURL></jobId>";
    }

    static String fault(String name) {
        return element(
                name,
                "<MethodName>jobStatus</MethodName><Timestamp>2008-01-22T15:55:08Z</Timestamp><ErrorCode>1</ErrorCode>"
                        + "<Description>job not found!</Description><FaultCause>N/A</FaultCause>");
    }

    void answerRegister(String property) {
        stub.answer(
                "JobRegister",
                element(
                        "JobRegisterResponse",
                        "<result jobDescriptionId=\"job\">"
                                + jobId("123456789").replace("</jobId>", property + "</jobId>") + "</result>"));
        stub.answer("JobStart", element("JobStartResponse", "<result>" + jobId("123456789") + "</result>"));
    }

    Path jdl(String text) throws IOException {
        return Files.writeString(folder.resolve("job.jdl"), text);
    }
}
