// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.stub.GramStub;
import org.jobgate.cli.stub.TrialCertificates;
import org.jobgate.cli.tls.Credential;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command within this JVM, against a service that misbehaves. */
class GlobusrunWsTest {
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
    }

    @AfterEach
    void end() throws IOException {
        stub.close();
    }

    private int run(String... words) {
        return new GlobusrunWs(environment, Clock.systemUTC(), stream(out), stream(errors)).run(words);
    }

    private static PrintStream stream(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private int submit(String... more) {
        List<String> words = new ArrayList<>(List.of("-submit", "-F", stub.contact()));
        words.addAll(List.of(more));
        return run(words.toArray(String[]::new));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String errors() {
        return errors.toString(StandardCharsets.UTF_8);
    }

    @Test
    void usesOneConnectionForAWholeJob() {
        assertThat(submit("-c", "/bin/true")).isZero();
        assertThat(stub.connections()).isEqualTo(1);
        assertThat(stub.requests("Destroy")).hasSize(1);
    }

    @Test
    void learnsOfEachStateByWaitingNotByPolling() {
        behaviour.stepMs = 1_000;
        assertThat(submit("-c", "/bin/true")).isZero();
        assertThat(out()).contains("state: Pending\n", "state: Active\n", "state: CleanUp\n", "state: Done\n");
        assertThat(stub.requests("GetMultipleResourceProperties")).hasSize(4);
    }

    @Test
    void pollsEverSlowerWhereTheServiceDoesNotKnowHowToWait() {
        behaviour.knowsWait = false;
        behaviour.stepMs = 400;
        assertThat(submit("-c", "/bin/true")).isZero();
        assertThat(out()).contains("state: Active\n", "state: CleanUp\n", "state: Done\n");
        // 1.2 s with pauses of 20, 30, 45 ... ms in each state: far fewer than every 20 ms
        assertThat(stub.requests("GetMultipleResourceProperties")).hasSizeBetween(8, 40);
    }

    @Test
    void speaksGt42WhereTheServiceAsksForIt() throws IOException {
        behaviour.is42 = true;
        assertThat(submit("-o", folder.resolve("epr").toString(), "-c", "/bin/sh", "-c", "exit 3"))
                .isEqualTo(3);
        assertThat(out()).contains("Termination time:", "Current job state: Done\n", "Destroying job...Done.\n");
        // asked in 4.0 once; from then on it is known
        assertThat(stub.requests("ws/2004/03/addressing")).hasSize(1);
        assertThat(stub.jobsCreated()).isEqualTo(1);
        assertThat(stub.requests("<terminate ")).hasSize(1);
        // a job of GT 4.2 has a termination time only if one is asked for
        assertThat(stub.requests("InitialTerminationTime")).hasSize(1);
        assertThat(folder.resolve("epr")).content().contains("www.w3.org/2005/08/addressing", "ReferenceParameters");
    }

    @Test
    void everyCommandSpeaksGt42() {
        behaviour.is42 = true;
        String epr = folder.resolve("epr").toString();
        assertThat(submit("-b", "-term", "+01:00", "-o", epr, "-c", "/bin/sleep", "600"))
                .isZero();
        assertThat(stub.requests("InitialTerminationTime")).hasSize(2);
        int before = stub.requests("ws/2004/03/addressing").size();
        assertThat(run("-status", "-j", epr)).isZero();
        assertThat(run("-release", "-j", epr)).isZero();
        assertThat(run("-kill", "-j", epr)).isZero();
        assertThat(run("-status", "-j", epr)).isEqualTo(ExitStatus.REFUSED.code());
        // the endpoint reference tells what is spoken there
        assertThat(stub.requests("ws/2004/03/addressing")).hasSize(before);
        assertThat(submit("-b", "-o", epr, "-c", "/bin/true")).isZero();
        assertThat(run("-monitor", "-j", epr)).isZero();
    }

    @Test
    void aHandleDoesNotTellWhatIsSpokenThere() {
        behaviour.is42 = true;
        assertThat(submit("-b", "-I", "11111111-2222-3333-4444-666666666666", "-c", "/bin/sleep", "600"))
                .isZero();
        String handle = "https://" + stub.contact()
                + "/wsrf/services/ManagedExecutableJobService?11111111-2222-3333-4444-666666666666";
        assertThat(run("-status", "-j", handle)).isZero();
        assertThat(run("-kill", "-j", handle)).isZero();
    }

    @Test
    void aProtocolThatIsForcedIsSpokenAlone() {
        behaviour.is42 = true;
        assertThat(submit("-protocol", "4.0", "-c", "/bin/true")).isEqualTo(ExitStatus.REFUSED.code());
        assertThat(errors()).contains("draft version of WS Addressing");
        environment.put("JOBGATE_PROTOCOL", "4.2");
        assertThat(submit("-c", "/bin/true")).isZero();
        assertThat(stub.requests("ws/2004/03/addressing")).hasSize(1);
        assertThat(submit("-protocol", "5", "-c", "/bin/true")).isEqualTo(ExitStatus.USAGE.code());
    }

    @Test
    void submitsOnceAlthoughAnswersAreLost() {
        behaviour.lostCreateReplies.set(2);
        assertThat(submit("-c", "/bin/true")).isZero();
        assertThat(stub.requests("createManagedJob")).hasSize(3);
        assertThat(stub.jobsCreated()).isEqualTo(1);
    }

    @Test
    void worksWithChunksAndWithoutKeptConnections() {
        behaviour.sendsChunks = true;
        assertThat(submit("-c", "/bin/true")).isZero();
        behaviour.closesEachTime = true;
        assertThat(submit("-c", "/bin/true")).isZero();
    }

    @Test
    void triesOtherGroupsWithAServerThatLacksX25519() throws Exception {
        stub.close();
        stub = new GramStub(certificates.serverContext(), behaviour, "secp256r1");
        assertThat(submit("-c", "/bin/true")).isZero();
        assertThat(stub.connections()).isEqualTo(2);
    }

    @Test
    void showsTheServicesRefusal() {
        behaviour.refusesCreate = true;
        assertThat(submit("-c", "/bin/true")).isEqualTo(ExitStatus.REFUSED.code());
        assertThat(out()).isEqualTo("Submitting job...Failed.\n");
        assertThat(errors()).isEqualTo("globusrun-ws: Error submitting job: Invalid count element.\n");
    }

    @Test
    void saysThatTheJobMayStillRunWhenTheServiceForgotIt() {
        behaviour.forgetsJobs = true;
        assertThat(submit("-c", "/bin/true")).isEqualTo(ExitStatus.JOB_LOST.code());
        assertThat(errors()).contains("Resource unknown", "may still run", "-submission-id uuid:");
    }

    @Test
    void withoutAnyWordItIsCalledWrongly() {
        assertThat(run()).isEqualTo(ExitStatus.USAGE.code());
        assertThat(errors()).contains("-submit", "-status");
        assertThat(out()).isEmpty();
        assertThat(submit("-f", "job.xml", "-c", "/bin/true")).isEqualTo(ExitStatus.USAGE.code());
        assertThat(errors()).contains("Options -f and -c cannot go together");
    }

    @Test
    void saysWhereNobodyListens() throws Exception {
        stub.close();
        assertThat(submit("-c", "/bin/true")).isEqualTo(ExitStatus.CONTACT.code());
        assertThat(errors()).contains("Cannot connect to " + stub.contact(), "Is the service running there?");
    }

    @Test
    void refusesAServerOfAnotherAuthority() {
        TrialCertificates other = TrialCertificates.make(folder.resolve("other"), "ecdsa");
        environment.put("X509_CERT_DIR", other.trust().toString());
        assertThat(submit("-c", "/bin/true")).isEqualTo(ExitStatus.CONTACT.code());
        // same name, other key: the signature is what counts
        assertThat(errors()).contains("/O=Jobgate Trial/CN=localhost is not valid");
        assertThat(stub.requests()).isEmpty();
    }

    @Test
    void refusesAnUnknownAuthorityByName() {
        TrialCertificates.ca("init", "--dir", folder.resolve("o").toString(), "--subject", "O=Other,CN=Other CA");
        environment.put("X509_CERT_DIR", folder.resolve("o/certificates").toString());
        assertThat(submit("-c", "/bin/true")).isEqualTo(ExitStatus.CONTACT.code());
        assertThat(errors())
                .contains("signed by /O=Jobgate Trial/CN=Jobgate Trial CA, which is not among the authorities");
        assertThat(stub.requests()).isEmpty();
    }

    @Test
    void refusesAServerThatIsNotTheHost() throws Exception {
        stub.close();
        Credential user = Credential.read(certificates.userCertificate(), certificates.userKey(), () -> new char[0]);
        stub = new GramStub(TrialCertificates.serverContext(user), behaviour);
        assertThat(submit("-c", "/bin/true")).isEqualTo(ExitStatus.CONTACT.code());
        assertThat(stub.requests()).isEmpty();
        assertThat(submit("-self", "-c", "/bin/true")).isZero();
        assertThat(submit("-subject", "/O=Jobgate Trial/CN=Alice Tester", "-c", "/bin/true"))
                .isZero();
        assertThat(submit("-subject", "/O=Jobgate Trial/CN=Bob", "-c", "/bin/true"))
                .isEqualTo(ExitStatus.CONTACT.code());
        assertThat(errors()).contains("is /O=Jobgate Trial/CN=Alice Tester; expected subject /O=Jobgate Trial/CN=Bob");
    }

    @Test
    void believesAPersonalServerThatRunsWithAProxyAsItsOwner() throws Exception {
        stub.close();
        Credential proxy = Credential.read(certificates.proxy(), certificates.proxy(), () -> new char[0]);
        stub = new GramStub(TrialCertificates.serverContext(proxy), behaviour);
        assertThat(submit("-self", "-c", "/bin/true")).as(errors()).isZero();
    }

    @Test
    void findsTheUsersOwnCertificateInTheHomeDirectory() throws Exception {
        environment.remove("X509_USER_PROXY");
        Path globus = Files.createDirectories(folder.resolve(".globus"));
        Files.copy(certificates.userCertificate(), globus.resolve("usercert.pem"));
        Files.copy(certificates.userKey(), globus.resolve("userkey.pem"));
        globus.resolve("userkey.pem").toFile().setReadable(false, false);
        globus.resolve("userkey.pem").toFile().setReadable(true, true);
        org.junit.jupiter.api.Assumptions.assumeTrue(
                !Files.exists(Path.of("/tmp/x509up_u" + Files.getAttribute(Path.of("/proc/self"), "unix:uid"))),
                "this account has a proxy in /tmp: SKIPPED");
        assertThat(submit("-c", "/bin/true")).as(errors()).isZero();
    }

    @Test
    void worksWithAnEcdsaProxyAndEcdsaServer() throws Exception {
        TrialCertificates ecdsa = TrialCertificates.make(folder.resolve("ecdsa"), "ecdsa");
        stub.close();
        stub = new GramStub(ecdsa.serverContext(), behaviour);
        environment.put("X509_USER_PROXY", ecdsa.proxy().toString());
        environment.put("X509_CERT_DIR", ecdsa.trust().toString());
        assertThat(submit("-c", "/bin/true")).as(errors()).isZero();
    }

    @Test
    void saysThatThereIsNoProxy() {
        environment.put("X509_USER_PROXY", folder.resolve("absent").toString());
        assertThat(submit("-c", "/bin/true")).isEqualTo(ExitStatus.CREDENTIAL.code());
        assertThat(errors()).contains(folder.resolve("absent") + " cannot be read");
    }

    @Test
    void releasesAHeldJob() throws Exception {
        Path description = folder.resolve("job.xml");
        Files.writeString(description, "<job><holdState>CleanUp</holdState><executable>/bin/true</executable></job>");
        String epr = folder.resolve("epr").toString();
        assertThat(submit("-b", "-o", epr, "-f", description.toString())).isZero();
        org.awaitility.Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            assertThat(run("-status", "-j", epr)).isZero();
            assertThat(out()).endsWith("Current job state: CleanUp-Hold\n");
        });
        assertThat(run("-release", "-j", epr)).isZero();
        assertThat(run("-monitor", "-j", epr)).isZero();
        assertThat(out()).endsWith("Current job state: Done\nDestroying job...Done.\n");
    }

    @Test
    void tellsWhyAJobWaitsWhereTheServiceKnows() throws Exception {
        String epr = folder.resolve("epr").toString();
        behaviour.waits = true;
        assertThat(submit("-b", "-o", epr, "-c", "/bin/true")).isZero();
        assertThat(run("-status", "-j", epr)).isZero();
        assertThat(errors()).doesNotContain("stands in its way");
        behaviour.reason = "its LRM Here does not answer: no such adapter";
        assertThat(run("-status", "-j", epr)).isZero();
        assertThat(errors()).contains("What stands in its way: its LRM Here does not answer: no such adapter.");
        errors.reset();
        behaviour.knowsWait = false;
        Thread goesOn = new Thread(() -> {
            try {
                org.awaitility.Awaitility.await()
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> errors().contains("What stands in its way"));
            } finally {
                behaviour.waits = false;
            }
        });
        goesOn.start();
        assertThat(run("-monitor", "-j", epr)).isZero();
        goesOn.join();
        assertThat(errors()).contains("What stands in its way: its LRM Here does not answer: no such adapter.");
    }

    @Test
    void writesAndReadsSubmissionIds() throws Exception {
        Path id = folder.resolve("id");
        assertThat(submit("-b", "-Io", id.toString(), "-c", "/bin/sleep", "9")).isZero();
        assertThat(submit("-b", "-If", id.toString(), "-c", "/bin/sleep", "9")).isZero();
        assertThat(stub.jobsCreated()).isEqualTo(1);
        assertThat(submit("-I", "not-a-uuid", "-c", "/bin/true")).isEqualTo(ExitStatus.USAGE.code());
    }

    @Test
    void validatesWithoutAService() throws Exception {
        Path description = folder.resolve("job.xml");
        Files.writeString(description, "<job><executable>/bin/true</executable><count>none</count></job>");
        assertThat(run("-validate", "-f", description.toString())).isEqualTo(ExitStatus.USAGE.code());
        assertThat(errors()).contains("count is none, which is not a number");
    }

    @Test
    void sendsAMultiJobToTheMultiFactoryAsItIs() throws Exception {
        Path description = folder.resolve("multi.xml");
        Files.writeString(
                description,
                "<multiJob><count>2</count><job><factoryEndpoint><Address>https://a/f</Address></factoryEndpoint>"
                        + "<executable>/bin/a</executable></job><job><executable>/bin/b</executable></job></multiJob>");
        assertThat(submit("-b", "-f", description.toString())).as(errors()).isZero();
        assertThat(stub.requests("createManagedJob"))
                .singleElement()
                .asString()
                .contains(">Multi</ResourceID>", "<multiJob xmlns=", "<executable>/bin/a<", "<executable>/bin/b<");
    }

    @Test
    void monitorShowsAHeldJobAndGoesOnWhenItIsReleased() throws Exception {
        Path description = folder.resolve("job.xml");
        Files.writeString(description, "<job><holdState>CleanUp</holdState><executable>/bin/true</executable></job>");
        String epr = folder.resolve("epr").toString();
        assertThat(submit("-b", "-o", epr, "-f", description.toString())).isZero();
        Thread.sleep(50);
        Thread release = new Thread(() -> {
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> stub.requests("GetMultipleResourceProperties").size() > 1);
            new GlobusrunWs(environment, Clock.systemUTC(), stream(errors), stream(errors)).run("-release", "-j", epr);
        });
        release.start();
        assertThat(run("-monitor", "-j", epr)).isZero();
        release.join();
        assertThat(out()).contains("Current job state: CleanUp-Hold\n").endsWith("Destroying job...Done.\n");
    }

    @Test
    void takesAHandleForAFileAndShowsTheServicesId() {
        assertThat(submit("-b", "-o", folder.resolve("e").toString(), "-c", "/bin/sleep", "9"))
                .isZero();
        String id = out().lines()
                .filter(line -> line.startsWith("Job resource: "))
                .findFirst()
                .orElseThrow()
                .substring("Job resource: ".length());
        String handle = "https://" + stub.contact() + "/wsrf/services/ManagedExecutableJobService?" + id;
        assertThat(run("-status", "-j", handle)).as(errors()).isZero();
        assertThat(run("-kill", "-j", handle)).isZero();
    }
}
