// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.companion.Companions;
import org.jobgate.cli.stub.GramStub;
import org.jobgate.cli.stub.TrialCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands for many jobs, before a stand-in for the service; OwnCommandsIT in clients/interop runs them before the real one. */
class BulkCommandsTest {
    private static final String MANY = "globus-job-submit-many-ws";
    private static final String LIST = "globus-job-list-ws";
    private static final String ID = "6b8e5b3e-3f4e-4a5e-9d5e-0a1b2c3d4e5f";

    @TempDir
    static Path shared;

    private static TrialCertificates certificates;

    @TempDir
    Path folder;

    private final GramStub.Behaviour behaviour = new GramStub.Behaviour();
    private final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private GramStub stub;
    private Path description;

    @BeforeAll
    static void certificates() {
        certificates = TrialCertificates.make(shared, "rsa");
    }

    @BeforeEach
    void service() throws Exception {
        stub = new GramStub(certificates.serverContext(), behaviour);
        environment.put("HOME", folder.toString());
        environment.put("X509_USER_PROXY", certificates.proxy().toString());
        environment.put("X509_CERT_DIR", certificates.trust().toString());
        description = Files.writeString(
                folder.resolve("job.xml"),
                "<job><executable>/bin/echo</executable><argument>${INDEX} ${NAME}</argument></job>");
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
                        InputStream.nullInputStream(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(errors, true, StandardCharsets.UTF_8))
                .run(name, words);
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private String errors() {
        return errors.toString(StandardCharsets.UTF_8);
    }

    @Test
    void everyJobIsALineWithItsHandleAndItsId() {
        int status = run(MANY, "-F", stub.contact(), "-Ft", "Slurm", "-f", description.toString(), "-n", "3", "-I", ID);

        assertThat(status).as(errors()).isZero();
        assertThat(lines()).hasSize(3);
        assertThat(lines().get(2))
                .isEqualTo("https://" + stub.contact() + "/wsrf/services/ManagedExecutableJobService?job-2 uuid:" + ID
                        + "/2");
        assertThat(stub.requests("createManagedJobs").getFirst())
                .contains(">Slurm<")
                .contains("<variable name=\"INDEX\">2</variable>")
                .contains("<executable>/bin/echo</executable>");
    }

    @Test
    void moreJobsThanOneRequestTakesAreSentInParts() {
        assertThat(run(MANY, "-F", stub.contact(), "-f", description.toString(), "-n", "1001"))
                .isZero();

        assertThat(lines()).hasSize(1001).doesNotHaveDuplicates();
        assertThat(stub.requests("createManagedJobs")).hasSize(3);
    }

    @Test
    void aLostAnswerIsAskedForAgainUnderTheSameIds() {
        behaviour.lostCreateReplies.set(1);

        assertThat(run(MANY, "-F", stub.contact(), "-f", description.toString(), "-n", "2"))
                .as(errors())
                .isZero();

        assertThat(lines()).hasSize(2);
        List<String> sent = stub.requests("createManagedJobs");
        assertThat(sent).hasSize(2);
        assertThat(sent.get(0).substring(sent.get(0).indexOf("<template>")))
                .isEqualTo(sent.get(1).substring(sent.get(1).indexOf("<template>")));
    }

    @Test
    void eachLineOfVariablesIsAJobAndARefusedOneIsToldWithItsReason() throws IOException {
        Path variables = Files.writeString(
                folder.resolve("variables"), "# comment\nNAME=a b\tOTHER=<&>\n\nNAME=x\tBAD=yes\nNAME=c=d\n");

        int status = run(MANY, "-F", stub.contact(), "-f", description.toString(), "-v", variables.toString());

        assertThat(status).isEqualTo(ExitStatus.REFUSED.code());
        assertThat(lines()).hasSize(2);
        assertThat(errors()).contains("/1: The element executable is wrong. Mend it.");
        assertThat(stub.requests("createManagedJobs").getFirst())
                .contains("<variable name=\"NAME\">a b</variable><variable name=\"OTHER\">&lt;&amp;&gt;</variable>")
                .contains("<variable name=\"NAME\">c=d</variable>");
    }

    @Test
    void theListHasAllPagesAndReasonsWhereAskedFor() {
        run(MANY, "-F", stub.contact(), "-f", description.toString(), "-n", "5", "-I", ID);

        assertThat(run(LIST, "-F", stub.contact(), "-state", "Failed", "-state", "Done", "-lrm", "Fork", "-x"))
                .as(errors())
                .isZero();

        assertThat(lines()).hasSize(10);
        assertThat(lines().get(0))
                .startsWith("Failed ")
                .contains(" 2026-11-20T14:00:00.000Z Fork https://")
                .endsWith("?job-0 uuid:" + ID + "/0");
        assertThat(lines().get(1)).isEqualTo("    It broke.");
        List<String> asked = stub.requests("<listJobs");
        assertThat(asked).hasSize(3);
        assertThat(asked.get(2))
                .contains("<state>Failed</state><state>Done</state>")
                .contains("<cursor>4</cursor>")
                .doesNotContain("<cursor>2</cursor>");
    }

    @ParameterizedTest
    @CsvSource({
        "-n 3, Say what and how many",
        "-f job.xml, Say what and how many",
        "-f job.xml -n 3 -v x, Say what and how many",
        "-f job.xml -n 0, is not in 1 to 100000",
        "-f job.xml -n 2 -I x, is not a UUID",
        "-f job.xml -n 2 -state Done, is not one of globus-job-submit-many-ws",
        "-f job.xml -v nothing.txt, cannot be read",
        "-f job.xml -n 2 more, is one too many"
    })
    void wrongWordsAreRefusedBeforeAnythingIsSent(String words, String sentence) {
        String[] given = words.replace("job.xml", description.toString()).split(" ");

        assertThat(run(MANY, given)).isEqualTo(ExitStatus.USAGE.code());
        assertThat(errors()).contains(sentence);
        assertThat(stub.connections()).isZero();
    }

    @Test
    void aServiceThatDoesNotAnswerIsTold() throws IOException {
        String contact = stub.contact();
        stub.close();

        assertThat(run(LIST, "-F", contact)).isEqualTo(ExitStatus.CONTACT.code());
        assertThat(run(MANY, "-F", contact, "-f", description.toString(), "-n", "1", "-I", ID))
                .isEqualTo(ExitStatus.CONTACT.code());
        assertThat(errors()).contains("Nothing was created.");
    }
}
