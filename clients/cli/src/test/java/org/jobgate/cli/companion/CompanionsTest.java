// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.companion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.stub.GramStub;
import org.jobgate.cli.stub.TrialCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompanionsTest {
    @TempDir
    static Path shared;

    private static TrialCertificates certificates;

    @TempDir
    Path folder;

    private final GramStub.Behaviour behaviour = new GramStub.Behaviour();
    private final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private String answer = "";
    private GramStub stub;

    @BeforeAll
    static void certificates() {
        certificates = TrialCertificates.make(shared, "rsa");
    }

    @BeforeEach
    void service() throws Exception {
        behaviour.home = folder.toString();
        behaviour.notifier = certificates;
        stub = new GramStub(certificates.serverContext(), behaviour);
        environment.put("HOME", folder.toString());
        environment.put("X509_USER_PROXY", certificates.proxy().toString());
        environment.put("X509_CERT_DIR", certificates.trust().toString());
    }

    @AfterEach
    void end() throws IOException {
        stub.close();
    }

    private int run(String name, String... words) {
        out.reset();
        errors.reset();
        return new Companions(
                        environment,
                        new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(errors, true, StandardCharsets.UTF_8))
                .run(name, words);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String errors() {
        return errors.toString(StandardCharsets.UTF_8);
    }

    private String submitted(String... program) {
        String[] words = new String[program.length + 1];
        words[0] = stub.contact();
        System.arraycopy(program, 0, words, 1, program.length);
        assertThat(run("globus-job-submit-ws", words)).as(errors()).isZero();
        assertThat(out().lines()).hasSize(1);
        return out().strip();
    }

    @Test
    void submitPrintsAHandleThatTheOthersTake() throws Exception {
        String handle = submitted("/bin/echo", "a word", "-np");
        assertThat(handle).startsWith("https://" + stub.contact() + "/").contains("?");
        assertThat(run("wsrf-get-property", "-e", handle, "types:state")).isZero();
        assertThat(out()).contains("<state xmlns=").contains("</state>");
        assertThat(run("globus-job-get-output-ws", handle)).as(errors()).isZero();
        assertThat(out()).isEqualTo("/bin/echo a word -np\n");
        assertThat(run("globus-job-get-output-ws", "-err", handle)).isZero();
        assertThat(out()).isEqualTo("a complaint\n");
        assertThat(run("globus-job-clean-ws", "-f", handle)).as(errors()).isZero();
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
        assertThat(run("wsrf-get-property", "-e", handle, "types:state")).isEqualTo(ExitStatus.REFUSED.code());
    }

    @Test
    void runShowsTheOutputAndEndsAsTheJob() throws Exception {
        assertThat(run("globus-job-run-ws", stub.contact(), "-np", "1", "/bin/sh", "-c", "exit 3"))
                .isEqualTo(3);
        assertThat(out()).isEqualTo("/bin/sh -c exit 3\n");
        assertThat(errors()).isEqualTo("a complaint\n");
        assertThat(stub.requests("Destroy")).hasSize(1);
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void runSaysWhereOutputIsThatCannotBeReached() {
        behaviour.home = "/nowhere/at/all";
        assertThat(run("globus-job-run-ws", stub.contact(), "/bin/true")).isZero();
        assertThat(errors()).contains("The output is in file /nowhere/at/all/", "at localhost, which cannot be read");
    }

    @Test
    void outputIsReadAndRemovedThroughTheGatewayWhereItGivesAccess() {
        behaviour.home = "/nowhere/at/all";
        behaviour.stdout = "so far\n";
        String handle = submitted("/bin/sleep", "9");
        assertThat(run("globus-job-get-output-ws", handle)).as(errors()).isZero();
        assertThat(out()).isEqualTo("so far\n");

        assertThat(run("globus-job-clean-ws", "-f", handle)).as(errors()).isZero();

        assertThat(stub.requests("DELETE /jobs/")).hasSize(2);
        assertThat(stub.requests("Destroy")).hasSize(1);
    }

    @Test
    void outputOfOtherNamesIsNeverReadNorRemoved() throws Exception {
        Path own = Files.writeString(folder.resolve("own.txt"), "mine");
        String handle = submitted("-stdout", own.toString(), "/bin/true");
        assertThat(run("globus-job-get-output-ws", handle)).isEqualTo(ExitStatus.CONTACT.code());
        assertThat(errors()).contains("own.txt at localhost");
        assertThat(run("globus-job-clean-ws", "-f", handle)).isZero();
        assertThat(own).hasContent("mine");
    }

    @Test
    void cleanAsksFirst() {
        String handle = submitted("/bin/sleep", "9");
        answer = "n\n";
        assertThat(run("globus-job-clean-ws", handle)).isEqualTo(ExitStatus.USAGE.code());
        assertThat(stub.requests("Destroy")).isEmpty();
        answer = "y\n";
        assertThat(run("globus-job-clean-ws", handle)).isZero();
        assertThat(stub.requests("Destroy")).hasSize(1);
    }

    @Test
    void dumpsTheDescriptionOfGt2Words() {
        assertThat(run(
                        "globus-job-submit-ws",
                        "-dumpjdd",
                        "ce/jobmanager-pbs",
                        "-np",
                        "4",
                        "-m",
                        "10",
                        "-q",
                        "short",
                        "-env",
                        "A=b=c",
                        "-d",
                        "/tmp",
                        "/bin/x",
                        "-q"))
                .isZero();
        assertThat(out())
                .contains(
                        "<executable>/bin/x</executable><directory>/tmp</directory><argument>-q</argument>",
                        "<environment><name>A</name><value>b=c</value></environment>",
                        "<stdout>${GLOBUS_USER_HOME}/",
                        "<count>4</count><queue>short</queue><maxTime>10</maxTime>");
        assertThat(stub.requests()).isEmpty();
    }

    @Test
    void noWordOfTheCommandLineIsAVariable() {
        assertThat(run(
                        "globus-job-submit-ws",
                        "-dumpjdd",
                        "ce",
                        "-env",
                        "A=${B}",
                        "-d",
                        "/tmp/${C}",
                        "-stdin",
                        "${D}",
                        "-stdout",
                        "${E}",
                        "/bin/${F}",
                        "${G}"))
                .isZero();
        assertThat(out())
                .contains(
                        "<executable>/bin/$${F}</executable><directory>/tmp/$${C}</directory><argument>$${G}</argument>",
                        "<name>A</name><value>$${B}</value>",
                        "<stdin>$${D}</stdin><stdout>$${E}</stdout>",
                        // the name that we give is one
                        "<stderr>${GLOBUS_USER_HOME}/");
    }

    @Test
    void jobManagerNamesBecomeFactoryTypes() {
        submitted("/bin/true");
        assertThat(run("globus-job-submit-ws", stub.contact() + "/jobmanager-pbs", "/bin/true"))
                .isZero();
        assertThat(stub.requests("createManagedJob").getFirst()).contains(">Fork</ResourceID>");
        assertThat(stub.requests("createManagedJob").getLast()).contains(">PBS</ResourceID>");
    }

    @Test
    void setsTheTerminationTime() {
        String handle = submitted("/bin/sleep", "9");
        assertThat(run("wsrf-set-termination-time", "-e", handle, "3600")).isZero();
        List<String> lines = out().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(Instant.parse(lines.get(1).substring("scheduled: ".length())))
                .isBetween(Instant.now().plusSeconds(3500), Instant.now().plusSeconds(3601));
        assertThat(run("wsrf-set-termination-time", "-e", handle, "infinity")).isZero();
        assertThat(out()).isEqualTo("requested: infinity\nscheduled: infinity\n");
    }

    @Test
    void readsSeveralPropertiesQueriesAndDestroys() {
        String handle = submitted("/bin/sleep", "9");
        String id = handle.substring(handle.indexOf('?') + 1);
        String service = handle.substring(0, handle.indexOf('?'));
        assertThat(run(
                        "wsrf-get-properties",
                        "-s",
                        service,
                        "-k",
                        "job:ResourceID",
                        id,
                        "types:state",
                        "types:exitCode"))
                .as(errors())
                .isZero();
        assertThat(out().lines()).hasSizeGreaterThan(1);
        assertThat(run("wsrf-query", "-v", "-e", handle, "//*[local-name()='state']"))
                .isZero();
        assertThat(out().strip()).isIn("Pending", "Active");
        assertThat(stub.requests("QueryResourceProperties").getFirst()).contains("//*[local-name()='state']");
        assertThat(run("wsrf-destroy", "-e", handle)).isZero();
        assertThat(out()).isEqualTo("Destroy operation was successful\n");
    }

    @Test
    void subscribeShowsEachChangeRefusesAWrongKeyAndUnsubscribes() {
        behaviour.stepMs = 500;
        String handle = submitted("/bin/true");
        assertThat(run("wsn-subscribe", "-e", handle, "-t", "30", "types:state"))
                .as(errors())
                .isZero();
        // the notifier's first message says Failed with a wrong key: it must not be here
        assertThat(out()).doesNotContain("Failed");
        assertThat(out().lines().map(line -> line.substring(line.indexOf(' ') + 1)))
                .contains("CleanUp")
                .last()
                .isEqualTo("Done exit code 0");
        assertThat(stub.subscriptionsEnded()).isEqualTo(1);
    }

    @Test
    void subscribeEndsAtOnceWhereTheJobHasEnded() throws Exception {
        String handle = submitted("/bin/true");
        Thread.sleep(50);
        assertThat(run("wsn-subscribe", "-e", handle, "types:state")).isZero();
        assertThat(out()).contains(" Done");
    }

    @ParameterizedTest
    @CsvSource({
        "wsrf-get-property, -e https://h/x?1, One word is needed",
        "wsrf-get-property, types:state, Name the resource",
        "wsrf-get-property, -e https://h/x?1 state, is not of the form {NAMESPACE}NAME",
        "wsrf-get-property, -e https://h/x state, names no resource",
        "wsrf-get-property, -a -e x types:state, calls without a certificate are not in this version",
        "wsrf-get-property, -m msg -e https://h/x?1 types:state, only trans",
        "wsrf-destroy, -n 3 -e https://h/x?1, one of wsn-subscribe only",
        "wsrf-destroy, -e https://h/x?1 stray, one too many",
        "wsrf-set-termination-time, -e https://h/x?1 soon, neither a number of seconds nor infinity",
        "wsrf-set-termination-time, -e https://h/x?1 -- -5, is not in 0 to",
        "wsrf-destroy, -k a, Option -k needs NAME VALUE",
        "globus-job-run-ws, host, Name the program",
        "globus-job-run-ws, -np, Option -np needs N",
        "globus-job-run-ws, -np none host /bin/x, is not a number",
        "globus-job-run-ws, -s host /bin/x, this command brings no files",
        "globus-job-run-ws, -env A host /bin/x, not of the form NAME=VALUE",
        "globus-job-clean-ws, '', Name one job",
        "wsrf-query, -frob, Option -frob is not known",
        "wsrf-query, --eprflie, Did you mean --eprFile?",
        "wsrf-query, -hlep, Did you mean -help?",
    })
    void refusesWithASentence(String name, String words, String sentence) {
        String[] given = words.isEmpty() ? new String[0] : words.split(" ");
        assertThat(run(name, given)).isEqualTo(ExitStatus.USAGE.code());
        assertThat(errors()).startsWith(name + ": ").contains(sentence);
        assertThat(stub.requests()).isEmpty();
    }

    @Test
    void everyCommandHelps() {
        for (var page : Companions.pages()) {
            assertThat(run(page.name(), "--help")).isZero();
            assertThat(out()).startsWith(page.name() + " ").contains(page.summary());
            assertThat(run(page.name(), "--version")).isZero();
            assertThat(out()).startsWith(page.name() + ": Jobgate ");
        }
    }
}
