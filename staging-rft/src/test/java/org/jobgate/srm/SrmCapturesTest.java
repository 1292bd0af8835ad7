// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.soap.Answer;
import org.jobgate.soap.SoapServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays what gfal2 and the ARC client sent, and compares our description of the service with the official one. */
class SrmCapturesTest {

    private static final Path SHARED = Path.of(System.getProperty("jobgate.root", "."), "..", "shared");
    private static final Pattern BODY = Pattern.compile("(?s)<(?:SOAP-ENV|soap-env):Envelope.*?Envelope>");
    private static final Pattern OPERATION = Pattern.compile(":Body[^>]*><\\w+:(srm\\w+)>");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"arc-6.17-and-gfal2-tls13-requests.txt", "gfal2-2.21.3-tls12-requests.txt"})
    void whatRealClientsSentIsUnderstood(String name) throws Exception {
        Path file = SHARED.resolve("captures/srm").resolve(name);
        assumeTrue(Files.exists(file), "NOT TESTED against real clients: there is no " + file.toAbsolutePath());
        List<String> operations = new ArrayList<>();
        try (SrmRoom room = new SrmRoom(folder)) {
            Files.writeString(room.work().resolve("a.txt"), "hello");
            String token = "none";
            Matcher bodies = BODY.matcher(Files.readString(file));
            while (bodies.find()) {
                String envelope = bodies.group()
                        .replace("/localhost/data", "/localhost/work")
                        .replace("tok-1", token);
                Matcher operation = OPERATION.matcher(envelope);
                assertThat(operation.find()).as(envelope).isTrue();
                operations.add(operation.group(1));
                Answer answer = SrmRoom.checked(
                        operation.group(1),
                        room.server.post(
                                "v2/server", envelope, SoapServer.SUBJECT, SrmRoom.ALICE, "SOAPAction", "\"Ls\""));
                assertThat(answer.all("statusCode")).as(envelope).doesNotContain("SRM_NOT_SUPPORTED");
                if (!answer.all("requestToken").isEmpty()) {
                    token = answer.one("requestToken");
                }
                assertThat(answer.all("explanation").toString()).doesNotContain("The request");
            }
        }
        assertThat(operations).contains("srmLs", "srmPing", "srmPrepareToGet", "srmReleaseFiles", "srmRm");
    }

    /** What is official and what is ours take the same answers for good, and have the same operations. */
    @Test
    void theOfficialDescriptionAgrees() throws Exception {
        Path file = SHARED.resolve("schemas/srm/srm.v2.2.wsdl");
        assumeTrue(Files.exists(file), "NOT TESTED against the official WSDL: there is no " + file.toAbsolutePath());
        String official = Files.readString(file).replaceAll("<import [^>]*/>", "");
        String ours = new String(Wsdl.document("https://x/y"), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(types(ours)).isEqualTo(types(official));
        assertThat(Wsdl.operations())
                .containsExactlyElementsOf(Pattern.compile("<wsdl:operation name=\"(\\w+)\"")
                        .matcher(official)
                        .results()
                        .map(match -> match.group(1))
                        .distinct()
                        .toList());
        assertThat(SrmRoom.schema(official.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isNotNull();
    }

    /** Names of types, elements and words, with what an element's type is and whether it may be left out, in their order. */
    private static List<String> types(String wsdl) {
        Pattern parts = Pattern.compile("<(?:xsd:)?(simpleType|complexType|element|enumeration)\\s([^>]*?)/?>");
        return parts.matcher(wsdl.substring(0, wsdl.indexOf("</wsdl:types>")))
                .results()
                .map(match -> match.group(1) + " " + attribute(match.group(2), "name")
                        + attribute(match.group(2), "value")
                        + attribute(match.group(2), "type").replaceFirst("^\\w+:", "")
                        + attribute(match.group(2), "minOccurs")
                        + attribute(match.group(2), "maxOccurs").replace("1", ""))
                .map(line -> line.equals("element storageSystemInfoArrayOfTExtraInfo") ? line + "0" : line)
                .toList();
    }

    private static String attribute(String text, String name) {
        Matcher found = Pattern.compile("\\b" + name + "\\s*=\\s*\"([^\"]*)\"").matcher(text);
        return found.find() ? found.group(1) : "";
    }
}
