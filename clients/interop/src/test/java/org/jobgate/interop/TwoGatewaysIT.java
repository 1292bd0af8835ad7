// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that one gateway gives to another: both with real processes, both killed in the middle. */
class TwoGatewaysIT {

    private static Gateway there;
    private static Gateway here;
    private static MultiJobCommands commands;

    @TempDir
    Path files;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        there = Gateway.start();
        here = Gateway.startBefore(there);
        commands = new MultiJobCommands(here);
    }

    @AfterAll
    static void stop() throws IOException {
        try (Gateway last = there) {
            here.close();
        }
    }

    private static String at(Gateway gateway) {
        return "<factoryEndpoint xmlns:a=\"http://schemas.xmlsoap.org/ws/2004/03/addressing\"><a:Address>"
                + gateway.services() + "/ManagedJobFactoryService</a:Address><a:ReferenceProperties>"
                + "<j:ResourceID xmlns:j=\"http://www.globus.org/namespaces/2004/10/gram/job\">Fork</j:ResourceID>"
                + "</a:ReferenceProperties></factoryEndpoint>";
    }

    private static String job(Gateway gateway, String script) {
        return "<job>" + at(gateway) + "<executable>/bin/sh</executable><argument>-c</argument><argument>" + script
                + "</argument></job>";
    }

    private Path file(String name) {
        return files.resolve(name);
    }

    private List<String> lines(String name) throws IOException {
        return Files.exists(file(name)) ? Files.readAllLines(file(name)) : List.of();
    }

    /** Appends its line, then waits: one that is started twice leaves two lines. */
    private String once(String name, int seconds) {
        return "echo x &gt;&gt; " + file(name) + "; sleep " + seconds;
    }

    @Test
    void aMultiJobWithASubJobAtEachRunsBoth() throws Exception {
        Programs.Result run = commands.run(job(here, once("here", 0)) + job(there, once("there", 0)));

        assertThat(run.status()).as(run.output()).isZero();
        assertThat(lines("here")).containsExactly("x");
        assertThat(lines("there")).containsExactly("x");
    }

    @Test
    void aSingleJobRunsAtTheOtherAndItsExitCodeComesBack() throws Exception {
        Path description = Files.writeString(
                file("job.xml"),
                "<job><executable>/bin/sh</executable><argument>-c</argument><argument>" + once("single", 0)
                        + "; exit 7</argument></job>");

        Programs.Result run = commands.globusrun("-submit", "-Ft", Gateway.OTHER, "-f", description.toString());

        assertThat(run.status()).as(run.output()).isEqualTo(7);
        assertThat(lines("single")).containsExactly("x");
    }

    @Test
    void oneThatFailsThereEndsTheOneHereAndIsNamed() throws Exception {
        Programs.Result run = commands.run(
                job(here, "exec sleep 300") + "<job>" + at(there) + "<executable>/nonexistent</executable></job>");

        assertThat(run.status()).isNotZero();
        assertThat(run.output()).contains("Sub job 1 of the multi-job", "/nonexistent");
    }

    @Test
    void oneThatFailsHereEndsTheOneThere() throws Exception {
        Programs.Result run = commands.run(job(there, "echo $$ &gt; " + file("pid") + "; exec sleep 300")
                + job(here, "while ! [ -s " + file("pid") + " ]; do sleep 0.1; done; kill -9 $$"));

        assertThat(run.status()).isNotZero();
        assertThat(lines("pid")).hasSize(1);
        commands.awaitEnds(lines("pid"));
    }

    @Test
    void killEndsTheProcessesAtBoth() throws Exception {
        String sleep = "echo $$ &gt;&gt; " + file("pids") + "; exec sleep 300";
        String handle = commands.submit(job(here, sleep) + job(there, sleep));
        commands.awaitLines(file("pids"), 2);

        commands.destroy(handle);

        commands.awaitGone(handle);
        assertThat(lines("pids")).hasSize(2);
        commands.awaitEnds(lines("pids"));
    }

    @Test
    void aKillOfThisGatewayRightAfterTheSubmissionStartsNothingTwiceAndLosesNothing() throws Exception {
        String handle = commands.submit(
                job(here, once("here", 3)) + job(there, once("there", 3)) + job(there, once("third", 0)));
        here.kill();
        here.startAgain();

        assertThat(commands.monitor(handle).status()).isZero();
        assertThat(lines("here")).containsExactly("x");
        assertThat(lines("there")).containsExactly("x");
        assertThat(lines("third")).containsExactly("x");
    }

    @Test
    void aKillOfTheOtherGatewayWhileTheyRunStartsNothingTwiceAndLosesNothing() throws Exception {
        String handle = commands.submit(job(here, once("here", 3)) + job(there, once("there", 6)));
        commands.awaitLines(file("there"), 1);
        there.kill();
        Thread.sleep(2_000);
        there.startAgain();

        assertThat(commands.monitor(handle).status()).isZero();
        assertThat(lines("here")).containsExactly("x");
        assertThat(lines("there")).containsExactly("x");
    }

    @Test
    void aJobThatIsSubmittedWhileTheOtherIsAwayWaitsForIt() throws Exception {
        there.kill();
        String handle;
        try {
            handle = commands.submit(job(here, once("here", 0)) + job(there, once("there", 0)));
            Thread.sleep(2_000);
            assertThat(lines("there")).isEmpty();
        } finally {
            there.startAgain();
        }

        assertThat(commands.monitor(handle).status()).isZero();
        assertThat(lines("there")).containsExactly("x");
    }

    private List<String> numbers(String name, int from, int count, int seconds) throws IOException {
        List<String> jdls = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            jdls.add(Files.writeString(
                            file(name + i + ".jdl"),
                            "Executable = \"/bin/sh\"; Arguments = \"-c 'echo " + i + " >> " + file(name) + "; sleep "
                                    + seconds + "'\";")
                    .toString());
        }
        return jdls;
    }

    private static void submit(IceCommand ice, List<String> jdls, Gateway... gateways)
            throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of("submit", "-p", here.proxy().toString()));
        for (Gateway gateway : gateways) {
            words.addAll(List.of("-r", IceCommand.queue(gateway)));
        }
        words.addAll(jdls);
        ice.good(words.toArray(String[]::new));
    }

    /** Jobs a minute for the gateway that is there, of batches that are submitted one after another. */
    private double rateHere(IceCommand ice, Duration atLeast) throws IOException, InterruptedException {
        int before = lines("iceHere").size();
        long began = System.nanoTime();
        do {
            int sofar = lines("iceHere").size();
            submit(ice, numbers("iceHere", sofar, 20, 0), here);
            commands.awaitLines(file("iceHere"), sofar + 20);
        } while (System.nanoTime() - began < atLeast.toNanos());
        return 60e9 * (lines("iceHere").size() - before) / (System.nanoTime() - began);
    }

    /**
     * Half of the jobs may go to either; those that only the dead one can take wait for it. Jobs for the other go on meanwhile. It is away for
     * {@code -Djobgate.ice.outage} seconds at least.
     */
    @Test
    void iceLosesNoJobAndRunsNoneTwiceWhileOneOfItsTwoGatewaysIsAway(TestReporter reporter) throws Exception {
        Duration outage = Duration.ofSeconds(Integer.getInteger("jobgate.ice.outage", 8));
        IceCommand ice = new IceCommand(here.clients(), files.resolve("queue"));
        Process manager = ice.start("--threads", "3", "--bulk", "3", "--poll", "1", "--timeout", "5");
        double with;
        double without;
        try {
            with = rateHere(ice, outage.dividedBy(4));
            submit(ice, numbers("ice", 0, 20, 1), here, there);
            submit(ice, numbers("ice", 20, 20, 1), there);
            commands.awaitLines(file("ice"), 1);
            there.kill();
            try {
                submit(ice, numbers("ice", 40, 20, 1), here, there);
                submit(ice, numbers("ice", 60, 20, 1), there);
                without = rateHere(ice, outage);
            } finally {
                there.startAgain();
            }
            commands.awaitLines(file("ice"), 80);
        } finally {
            manager.destroy();
            manager.waitFor();
        }
        ice.good("run", "--threads", "3", "--poll", "1", "--until-done");

        int all = 80 + lines("iceHere").size();
        reporter.publishEntry(String.format(
                "ice, one of two gateways away for %d s: %.0f jobs/min for the other before, %.0f meanwhile; %d jobs",
                outage.toSeconds(), with, without, all));
        assertThat(ice.good("status")).as(ice.good("status", "-a")).isEqualTo("DONE-OK\t" + all + "\n");
        assertThat(lines("ice")).hasSize(80).doesNotHaveDuplicates();
        assertThat(lines("iceHere")).doesNotHaveDuplicates();
    }

    /** One gateway lets the owner delegate nothing: each job that may go to the other does. */
    @Test
    void iceTakesJobsElsewhereWhereTheirOwnerMayNotDelegate() throws Exception {
        IceCommand ice = new IceCommand(here.clients(), files.resolve("queue"));
        List<String> words = new ArrayList<>(List.of(
                "submit",
                "-r",
                IceCommand.queue(there),
                "-r",
                IceCommand.queue(here),
                "-p",
                here.proxy().toString()));
        for (int i = 0; i < 6; i++) {
            words.add(Files.writeString(
                            file("job" + i + ".jdl"),
                            "Executable = \"/bin/sh\"; Arguments = \"-c 'echo " + i + " >> " + file("ice") + "'\";")
                    .toString());
        }
        String map = there.restartWithMap("");
        try {
            ice.good(words.toArray(String[]::new));
            Process manager = ice.start("--threads", "2", "--bulk", "2", "--poll", "1", "--until-done");
            try {
                assertThat(manager.waitFor(4, TimeUnit.MINUTES))
                        .as(ice.good("status", "-a"))
                        .isTrue();
            } finally {
                manager.destroy();
            }
        } finally {
            String unused = there.restartWithMap(map);
        }

        assertThat(ice.good("status")).as(ice.good("status", "-a")).isEqualTo("DONE-OK\t6\n");
        assertThat(lines("ice")).hasSize(6).doesNotHaveDuplicates();
    }
}
