// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The submission manager before the real service. */
@ExtendWith(OneGateway.class)
class IceIT {

    private static final int KILLS = 6;

    private final Gateway gateway;

    @TempDir
    Path folder;

    IceIT(Gateway gateway) {
        this.gateway = gateway;
    }

    private IceCommand ice() {
        return new IceCommand(gateway.clients(), folder.resolve("queue"));
    }

    /** Half of the jobs bring a file; all write their name once for each time they run. */
    private List<String> jobs(int count) throws IOException {
        Path data = Files.writeString(folder.resolve("data"), "brought\n");
        List<String> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String sandbox = i % 2 == 0 ? "" : "InputSandbox = { \"" + data + "\" };\n";
            String check = i % 2 == 0 ? "" : "grep -q brought data && ";
            files.add(Files.writeString(
                            folder.resolve("job" + i + ".jdl"),
                            "Executable = \"/bin/sh\"; Arguments = \"-c '" + check + "echo $NAME >> "
                                    + folder.resolve("ran") + "'\";\nEnvironment = { \"NAME=job" + i + "\" };\n"
                                    + sandbox)
                    .toString());
        }
        return files;
    }

    @Test
    void aManagerThatIsKilledAgainAndAgainLosesNoJobAndRunsNoneTwice() throws Exception {
        IceCommand ice = ice();
        Path ids = folder.resolve("ids");
        List<String> words = new ArrayList<>(List.of(
                "submit",
                "-r",
                IceCommand.queue(gateway),
                "-o",
                ids.toString(),
                "-p",
                gateway.proxy().toString()));
        words.addAll(jobs(60));
        assertThat(ice.good(words.toArray(String[]::new)).lines()).hasSize(60);
        Random random = new Random(1);

        for (int i = 0; i < KILLS; i++) {
            Process manager = ice.start("--threads", "3", "--bulk", "4", "--poll", "1");
            Thread.sleep(600 + random.nextInt(1_200));
            manager.destroyForcibly().waitFor();
        }
        ice.good("run", "--threads", "3", "--bulk", "10", "--poll", "1", "--until-done");

        assertThat(ice.good("status")).as(ice.good("status", "-a")).isEqualTo("DONE-OK\t60\n");
        List<String> ran = Files.readAllLines(folder.resolve("ran"));
        assertThat(ran).hasSize(60).doesNotHaveDuplicates();
        List<String> steps = ice.good("log", Files.readAllLines(ids).getFirst())
                .lines()
                .map(line -> line.split("\t", -1)[3])
                .toList();
        assertThat(steps).contains("queued", "dequeued", "transfer start", "transfer ok", "DONE-OK");
    }

    @Test
    void jobsOfTheSpoolAreCancelledRefusedAndSubmittedOnceMore() throws Exception {
        IceCommand ice = ice();
        ice.good("status");
        Path spool = folder.resolve("queue/spool");
        String common = "ce_id = \"" + IceCommand.queue(gateway) + "\"; X509UserProxy = \"" + gateway.proxy() + "\";\n";
        Files.writeString(
                spool.resolve("no-program.jdl"), common + "Executable = \"/no/such/program\"; ShallowRetryCount = 2;");
        Files.writeString(spool.resolve("sleeps.jdl"), common + "Executable = \"/bin/sleep\"; Arguments = \"300\";");
        Files.writeString(spool.resolve("wrong.jdl"), common + "Executable = ");
        Process manager = ice.start("--poll", "1");
        try {
            String sleeping = ice.awaitLine("REALLY-RUNNING").split("\t", -1)[0];
            Files.writeString(spool.resolve("it.part"), sleeping + "\n");
            Files.move(spool.resolve("it.part"), spool.resolve("it.cancel"));
            assertThat(ice.awaitLine("CANCELLED")).startsWith(sleeping);
            String failed = ice.awaitLine("ABORTED|DONE-FAILED");
            assertThat(failed.split("\t", -1)[2]).as(failed).isEqualTo("3");
        } finally {
            manager.destroy();
            manager.waitFor();
        }
        assertThat(spool.resolve("refused")).isDirectoryContaining("glob:**wrong.jdl.reason");
    }
}
