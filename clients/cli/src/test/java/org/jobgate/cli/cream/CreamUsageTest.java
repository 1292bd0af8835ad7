// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.stub.TrialCertificates;
import org.jobgate.cli.tls.SigningRequest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands refuse before they ask anybody, and what they read of files. */
class CreamUsageTest {

    private static final String CE = "ce.example.org/cream-pbs-long";

    @TempDir
    static Path shared;

    private static TrialCertificates certificates;

    @TempDir
    Path folder;

    private final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @BeforeAll
    static void certificates() {
        certificates = TrialCertificates.make(shared, "rsa");
    }

    @BeforeEach
    void user() {
        environment.put("HOME", folder.toString());
        environment.put("X509_USER_PROXY", certificates.proxy().toString());
        environment.put("X509_CERT_DIR", certificates.trust().toString());
    }

    private int run(String name, String... words) {
        out.reset();
        errors.reset();
        return new CreamCommands(
                        environment,
                        Clock.systemUTC(),
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(errors, true, StandardCharsets.UTF_8),
                        folder.resolve("etc"))
                .call(name, words);
    }

    private String errors() {
        return errors.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "glite-ce-job-submit|JDL file not specified in the command line arguments. Stop.",
                "glite-ce-job-submit x.jdl|CEId not specified in the command line arguments. Stop.",
                "glite-ce-job-submit -r ce x.jdl|Must specify one (and only one) of the two options --autm-delegation --delegationId. Stop.",
                "glite-ce-job-submit -a -D d -r ce x.jdl|Cannot specify both --autm-delegation and --delegationId options, they're mutually exclusive. Stop.",
                "glite-ce-job-submit -a -r ce/jobmanager-pbs-q x.jdl|Specified CEID has wrong format. Must be <host>[:<tcp_port>]/cream-<batch_system_name>-<queue_name>",
                "glite-ce-job-status|You didn't provide one or more JobID(s).",
                "glite-ce-job-status -a|--all option requires to specify also --endpoint option. Stop.",
                "glite-ce-job-status -a -i f|Cannot specify --input and --all options, they're mutually exclusive. Stop.",
                "glite-ce-job-status -a https://h/CREAM1|Cannot specify JobIDs as command line argument and --all option, they're mutually exclusive. Stop",
                "glite-ce-job-status -L 3 https://h/CREAM1|Specified output level is wrong: must be a number between 0 and 2. Stop.",
                "glite-ce-job-status -s FOO https://h/CREAM1|Invalid status [FOO]. Stop",
                "glite-ce-job-status -f today https://h/CREAM1|Specified from date is wrong; must have the format 'YYYY-MM-DD HH:mm:ss'. Stop.",
                "glite-ce-job-status CREAM1|[CREAM1] is not a JobID: should be https://<host>:<tcpport>/CREAM<number>. Stop.",
                "glite-ce-job-status -i /no/such/file|Error accessing file [/no/such/file]: No such file or directory. Stop.",
                "glite-ce-job-cancel -d -n https://h/CREAM1|Cannot specify both --debug and --nomsg options. Stop.",
                "glite-ce-delegate-proxy x|endpoint argument is mandatory. Stop.",
                "glite-ce-delegate-proxy -e ce|delegation ID argument is mandatory. Stop.",
                "glite-ce-job-lease -e ce|Lease ID argument is mandatory. Stop.",
                "glite-ce-service-info|endpoint argument is mandatory. Stop.",
                "glite-ce-service-info ce:0|Endpoint [ce:0] is not in the right format: should be <host>[:tcpport]. Stop.",
                "glite-ce-event-query -e ce x|Specified event id range is wrong; must have the format 'number-number'. Stop"
            })
    void aWrongCommandLineEndsWithOneAndCreamsSentence(String line, String sentence) {
        String[] words = line.split(" ", -1);
        assertThat(run(words[0], List.of(words).subList(1, words.length).toArray(String[]::new)))
                .isEqualTo(1);
        assertThat(errors()).contains(" FATAL - ").contains(sentence);
        assertThat(out.size()).isZero();
    }

    @Test
    void anUnknownOptionIsNamed() {
        assertThat(run(CreamPages.LIST, "--endpiont", "x")).isEqualTo(1);
        assertThat(errors())
                .contains("There was an error parsing the command line.", "--endpiont", "glite-ce-job-list --help");
    }

    @Test
    void everyCommandHasHelp() {
        for (String name : CreamPages.names()) {
            assertThat(run(name, "--help")).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .startsWith(name + " [")
                    .contains("Exit status: 0 done, 1");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[ Executable = \"a\"|the brackets",
                "Executable = ;|a value is missing",
                "Executable = \"a|not closed",
                "Executable \"a\"|Name = value; is expected",
                "Executable = { \"a\" ;|not closed",
                "/* Executable|a comment is not closed",
                "[ Executable = \"a\" ] x|something follows",
                "InputSandbox = \"/no/such/file\"|the file [/no/such/file] is not there",
                "InputSandbox = { \"/etc/passwd\", \"file:///etc/passwd\" }|two files are called [passwd]"
            })
    void aJdlThatCannotBeSentIsRefusedBeforeAnyCall(String text, String sentence) throws IOException {
        Path jdl = Files.writeString(folder.resolve("x.jdl"), text);
        assertThat(run(CreamPages.SUBMIT, "-D", "d", "-r", CE, jdl.toString())).isEqualTo(1);
        assertThat(errors()).contains(sentence);
    }

    @Test
    void aFakeSubmissionShowsTheJdl() throws IOException {
        Files.createDirectories(folder.resolve(".glite/lab"));
        Files.writeString(
                folder.resolve(".glite/lab/glite_cream.conf"),
                "[ JDL_DEFAULT_ATTRIBUTES = [ VirtualOrganisation = \"lab\"; Arguments = \"no\"; ]; DEFAULT_CREAM_TCPPORT = \"9443\" ]");
        Path jdl = Files.writeString(folder.resolve("x.jdl"), "Executable = \"/bin/true\";\nArguments = \"yes\";");

        assertThat(run(CreamPages.SUBMIT, "-F", "-V", "lab", "-D", "d", "-r", CE, jdl.toString()))
                .as(errors())
                .isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        "[ Executable = \"/bin/true\"; Arguments = \"yes\"; VirtualOrganisation = \"lab\"; BatchSystem = \"pbs\"; QueueName = \"long\"; ]\n");
    }

    @Test
    void whatWentWrongIsLogged() throws IOException {
        Path log = folder.resolve("log");
        run(CreamPages.LIST, "-l", log.toString());
        run(CreamPages.LIST, "-l", log.toString());
        assertThat(log).content().contains("FATAL - endpoint argument is mandatory. Stop.");
        assertThat(Files.readAllLines(log)).hasSize(2);
    }

    @Test
    void aForeignFileIsNotTakenForIds() throws Exception {
        Path foreign = Files.writeString(folder.resolve("f"), "https://h/CREAM1\n");
        assertThat(run(CreamPages.STATUS, "-i", foreign.toString())).isEqualTo(1);
        assertThat(errors()).contains("is not a CREAM job list file. Stop.");
        assertThat(new JobIdFile(foreign.toString()).isForeign()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"RSA, 2048, SHA256withRSA", "EC, 256, SHA256withECDSA"})
    void theKeyOfARequestIsRead(String algorithm, int size, String signature) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(size);
        KeyPair keys = generator.generateKeyPair();
        assertThat(SigningRequest.keyOf(Requests.pem(keys, signature))).isEqualTo(keys.getPublic());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----",
                "-----BEGIN CERTIFICATE REQUEST-----\n%%\n-----END CERTIFICATE REQUEST-----"
            })
    void whatIsNoRequestIsRefused(String pem) {
        assertThatThrownBy(() -> SigningRequest.keyOf(pem)).isInstanceOf(GeneralSecurityException.class);
    }
}
