// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Multi-jobs through a running gateway with real processes, submitted and ended by globusrun-ws. */
@ExtendWith(OneGateway.class)
class MultiJobIT {

    private final Gateway gateway;
    private final MultiJobCommands commands;

    @TempDir
    Path files;

    MultiJobIT(Gateway gateway) {
        this.gateway = gateway;
        this.commands = new MultiJobCommands(gateway);
    }

    private static String job(String content) {
        return "<job>" + content + "</job>";
    }

    private static String shell(String script) {
        return "<executable>/bin/sh</executable><argument>-c</argument><argument>" + script + "</argument>";
    }

    private Path file(String name) {
        return files.resolve(name);
    }

    private List<String> lines(String name) throws IOException {
        return Files.exists(file(name)) ? Files.readAllLines(file(name)) : List.of();
    }

    /** A job of this many processes of the parallel program. */
    private String part(String name, int count, int secondsBefore) {
        return job("<argument>" + Checkout.file("src/test/python/meet_and_sum.py") + "</argument><argument>"
                + secondsBefore + "</argument><count>" + count + "</count><stdout>" + file(name) + "</stdout><stderr>"
                + file(name + ".err") + "</stderr>");
    }

    private String parallel(String parts) {
        return "<executable>/usr/bin/python3</executable><environment><name>X509_USER_PROXY</name><value>"
                + gateway.proxy() + "</value></environment>" + parts;
    }

    private static void needsPython() {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/python3")),
                "SKIPPED: the parallel program needs /usr/bin/python3, which is not there");
    }

    private void assertAllMet(int processes, String... names) throws IOException {
        List<String> said = new ArrayList<>();
        for (String name : names) {
            assertThat(lines(name + ".err")).isEmpty();
            said.addAll(lines(name));
        }
        int sum = processes * (processes - 1) / 2;
        assertThat(said)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, processes)
                        .mapToObj(rank -> "process " + rank + " of " + processes + ": sum " + sum)
                        .toList());
    }

    @Test
    void theProcessesOfAllSubJobsMeetAtTheRendezvousAndSum() throws Exception {
        needsPython();
        Programs.Result run = commands.run(parallel(part("a", 4, 0) + part("b", 3, 0) + part("c", 2, 0)));

        assertThat(run.status()).as(run.output()).isZero();
        assertAllMet(9, "a", "b", "c");
    }

    @Test
    void aKillOfTheServiceWhileTheyMeetLosesNobodyAndStartsNobodyTwice() throws Exception {
        needsPython();
        String handle = commands.submit(parallel(part("a", 3, 0) + part("b", 3, 6)));
        commands.awaitState(handle, "Active");
        Thread.sleep(1_500); // those of the first sub-job have registered by now

        gateway.kill();
        gateway.startAgain();

        assertThat(commands.monitor(handle).status()).isZero();
        assertAllMet(6, "a", "b");
    }

    @Test
    void oneThatFailsEndsTheOthersAndIsNamed() throws Exception {
        Programs.Result run = commands.run(job(shell("echo $$ &gt; " + file("pid") + "; exec sleep 300"))
                + job("<executable>/nonexistent</executable>"));

        assertThat(run.status()).isNotZero();
        assertThat(run.output()).contains("Sub job 1 of the multi-job", "/nonexistent");
        commands.awaitEnds(lines("pid"));
    }

    @Test
    void theExitCodeIsThatOfTheOneThatDidNotEndWell() throws Exception {
        assertThat(commands.run(job(shell("exit 0")) + job(shell("exit 7"))).status())
                .isEqualTo(7);
    }

    @Test
    void allAreHeldTogetherAndReleasedTogether() throws Exception {
        String handle = commands.submit("<holdState>Pending</holdState>" + job(shell("echo a &gt; " + file("a")))
                + job(shell("echo b &gt; " + file("b"))));
        commands.awaitState(handle, "Pending-Hold");
        gateway.kill();
        gateway.startAgain();
        assertThat(commands.status(handle)).contains("Pending-Hold");
        assertThat(lines("a")).isEmpty();

        commands.release(handle);

        assertThat(commands.monitor(handle).status()).isZero();
        assertThat(lines("a")).containsExactly("a");
        assertThat(lines("b")).containsExactly("b");
    }

    @Test
    void aKillOfTheServiceRightAfterTheSubmissionStartsEachSubJobOnce() throws Exception {
        StringBuilder jobs = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            jobs.append(job(shell("echo $GLOBUS_GRAM_SUBJOB_RANK &gt;&gt; " + file("started"))));
        }
        String handle = commands.submit(jobs.toString());
        gateway.kill();
        gateway.startAgain();

        assertThat(commands.monitor(handle).status()).isZero();
        assertThat(lines("started")).containsExactlyInAnyOrder("0", "1", "2", "3", "4", "5", "6", "7");
    }

    @Test
    void killEndsEveryProcessOfEverySubJobAlsoIfTheServiceIsKilledMeanwhile() throws Exception {
        String sleep = "<count>2</count>" + shell("echo $$ &gt;&gt; " + file("pids") + "; exec sleep 300");
        String handle = commands.submit(job(sleep) + job(sleep));
        commands.awaitState(handle, "Active");
        commands.awaitLines(file("pids"), 4);

        commands.destroy(handle);
        gateway.kill();
        gateway.startAgain();

        commands.awaitGone(handle);
        assertThat(lines("pids")).hasSize(4);
        commands.awaitEnds(lines("pids"));
    }

    @Test
    void gt42TerminatesAllAndForgetsThemWhenAskedTo() throws Exception {
        String handle = commands.submit(job(shell("exec sleep 300")) + job(shell("exec sleep 300")));
        commands.awaitState(handle, "Active");
        List<String> subJobs = commands.subJobs(handle);
        assertThat(subJobs).hasSize(2);

        assertThat(commands.terminate(handle, false)).contains("terminationCompleted>false<");
        commands.awaitState42(handle, "UserTerminateDone");
        subJobs.forEach(sub -> commands.awaitState42(sub, "UserTerminateDone"));

        assertThat(commands.terminate(handle, true)).contains("terminationCompleted>true<");
        commands.awaitGone(handle);
        subJobs.forEach(commands::awaitGone);
    }
}
