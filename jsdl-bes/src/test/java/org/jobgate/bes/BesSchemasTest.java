// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.bes.BesRoom.ADMIN;
import static org.jobgate.bes.BesRoom.ALICE;
import static org.jobgate.bes.BesWire.vector;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.validation.Schema;
import org.jobgate.job.JobId;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of answer is valid by the official schemas and by ours, and so are the requests of clients that others wrote. */
class BesSchemasTest {

    @TempDir
    static Path directory;

    private static BesRoom room;

    @BeforeAll
    static void open() throws Exception {
        room = new BesRoom(directory, BesRoom.jsdl());
        room.lrm.setCapabilities(new LrmCapabilities(
                "slurm",
                List.of(new LrmCapabilities.Queue(
                        "short",
                        false,
                        true,
                        64L,
                        8L,
                        1L,
                        0L,
                        null,
                        Duration.ofHours(2),
                        32L,
                        "up",
                        "x86_64",
                        2_048L))));
    }

    @AfterAll
    static void close() throws Exception {
        room.close();
    }

    private static Schema official(String wsdl) throws Exception {
        Path file = Schemas.shared().resolve("schemas/bes/offline").resolve(wsdl);
        assumeTrue(Files.isRegularFile(file), "NOT TESTED against the official schemas: there is none at " + file);
        return Schemas.official(file);
    }

    /** Answers of every kind, by what they show. */
    private static Map<String, XmlElement> answers() {
        Map<String, XmlElement> answers = new LinkedHashMap<>();
        Answer created = room.post(ALICE, BesWire.creation("/bin/true"));
        answers.put("created", created.body());
        String id = created.one("Activity");
        await().atMost(Duration.ofMinutes(1)).until(() -> room.lrm.knows(JobId.parse(id)));
        room.lrm.start(JobId.parse(id));
        room.lrm.end(JobId.parse(id), 1);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> room.post(ALICE, vector("GetActivityStatuses", id))
                        .text()
                        .contains("Finished"));
        String live = room.create("/bin/sleep");
        for (String operation : List.of("GetActivityStatuses", "TerminateActivities", "GetActivityDocuments")) {
            answers.put(
                    operation,
                    room.post(ALICE, vector(operation, id, live, "unknown")).body());
        }
        answers.put(
                "attributes",
                room.post(ALICE, "<b:GetFactoryAttributesDocument/>").body());
        answers.put("unsupported", fault(BesWire.creation("/bin/true", "", "<x:y xmlns:x='urn:x'/>")));
        answers.put("invalid", fault("<b:CreateActivity/>"));
        answers.put("not authorized", fault("<m:StopAcceptingNewActivities/>"));
        room.engine.drain();
        answers.put("not accepting", fault(BesWire.creation("/bin/true")));
        room.engine.resume();
        return answers;
    }

    private static XmlElement fault(String body) {
        return room.post(ALICE, body).fault();
    }

    @Test
    void answersAreValidByTheOfficialSchemaAndByOurs() throws Exception {
        Map<String, XmlElement> answers = answers();
        assertThat(Optional.ofNullable(answers.get("attributes"))
                        .orElseThrow()
                        .children()
                        .getFirst()
                        .child("ContainedResource"))
                .isPresent();
        Schema own = Schemas.own("bes-factory.xsd");
        for (Map.Entry<String, XmlElement> answer : answers.entrySet()) {
            assertThat(Schemas.objection(own, answer.getValue()))
                    .as(answer.getKey())
                    .isEmpty();
        }
        Schema official = official("bes-factory.wsdl");
        for (Map.Entry<String, XmlElement> answer : answers.entrySet()) {
            assertThat(Schemas.objection(official, answer.getValue()))
                    .as(answer.getKey())
                    .isEmpty();
        }
    }

    @Test
    void answersOfManagementAreValidToo() throws Exception {
        XmlElement stopped = room.post(ADMIN, "<m:StopAcceptingNewActivities/>").body();
        XmlElement started =
                room.post(ADMIN, "<m:StartAcceptingNewActivities/>").body();
        for (XmlElement answer : List.of(stopped, started)) {
            assertThat(Schemas.objection(Schemas.own("bes-management.xsd"), answer))
                    .isEmpty();
            assertThat(Schemas.objection(official("bes-management.wsdl"), answer))
                    .isEmpty();
        }
    }

    /** An empty schema would find everything valid. */
    @Test
    void theSchemasObjectToWhatIsWrong() throws Exception {
        XmlElement wrong = new Answer(
                        200,
                        BesWire.envelope("<b:TerminateActivitiesResponse><b:Response><b:Terminated>true</b:Terminated>"
                                + "</b:Response></b:TerminateActivitiesResponse>"))
                .body();
        assertThat(Schemas.objection(Schemas.own("bes-factory.xsd"), wrong)).contains("ActivityIdentifier");
        assertThat(Schemas.objection(official("bes-factory.wsdl"), wrong)).contains("ActivityIdentifier");
    }

    @Test
    void theServedDescriptionNamesTheAddressOfTheDoorAndItsSchemas() throws Exception {
        for (String service : List.of(BesService.FACTORY, BesService.MANAGEMENT)) {
            String wsdl = text(service + "?wsdl");
            assertThat(wsdl).contains("location=\"" + room.url() + "/" + service + "\"");
            Matcher schemas = Pattern.compile("schemaLocation=\"" + Pattern.quote(room.url() + "/") + "([^\"]+)\"")
                    .matcher(wsdl);
            assertThat(schemas.find()).isTrue();
            assertThat(text(schemas.group(1))).contains("targetNamespace");
        }
    }

    private static String text(String query) throws Exception {
        try (InputStream in = URI.create(room.url() + "/" + query).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Whole requests of two independent clients, as they were captured. */
    @Test
    void captureRequestsAreValidByOurSchemaAndUnderstood() throws Exception {
        Path captures = Schemas.shared().resolve("captures/bes");
        assumeTrue(
                Files.isDirectory(captures), "NOT TESTED against real clients: there are no captures at " + captures);
        Set<String> seen = new TreeSet<>();
        for (String envelope : envelopes(captures)) {
            XmlElement request = new Answer(200, envelope).body();
            assertThat(Schemas.objection(Schemas.own("bes-factory.xsd"), request))
                    .as(envelope)
                    .isEmpty();

            Answer answer = room.send(ALICE, envelope, "SOAPAction", "\"urn:what-ever\"");

            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            assertThat(answer.body().localName()).isEqualTo(request.localName() + "Response");
            seen.add(request.localName());
        }
        assertThat(seen)
                .containsExactly(
                        "CreateActivity",
                        "GetActivityDocuments",
                        "GetActivityStatuses",
                        "GetFactoryAttributesDocument",
                        "TerminateActivities");
    }

    private static List<String> envelopes(Path captures) throws Exception {
        List<String> found = new ArrayList<>();
        try (var files = Files.list(captures)) {
            for (Path file : files.sorted().collect(Collectors.toList())) {
                Matcher matcher = Pattern.compile("<(soapenv|soap-env):Envelope.*?</\\1:Envelope>", Pattern.DOTALL)
                        .matcher(Files.readString(file));
                while (matcher.find()) {
                    found.add(matcher.group());
                }
            }
        }
        assertThat(found).hasSizeGreaterThan(8);
        return found;
    }
}
