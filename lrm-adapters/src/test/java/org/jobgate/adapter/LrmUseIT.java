// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.ResourceUse;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmUse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a job used, as the adapters tell it, compared with what each real LRM reports itself. */
class LrmUseIT {

    private static final String BURN = "perl -e 'my $x = q(y) x 60_000_000; 1 while (times)[0] < 0.5'";

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private record Ran(LrmEvent event, LrmEvent.End end, ResourceUse used) {
        String id() {
            return event.localIds().getFirst();
        }
    }

    private static Ran burn(ContractRoom room, long leastMillis) {
        JobDescription.Builder job = room.sh(BURN);
        JobId tag = room.submit(job);
        // half a second of processor time takes long on a busy machine
        await().atMost(PATIENCE).until(() -> room.kinds(tag).contains(LrmEvent.Kind.ENDED));
        LrmEvent event = room.awaitEvent(tag, LrmEvent.Kind.ENDED);
        LrmEvent.End end = requireNonNull(event.end());
        ResourceUse used = requireNonNull(end.used(), "nothing is told of what it used");
        assertThat(end.cause()).isEqualTo(LrmEvent.Cause.EXITED);
        assertThat(millis(used.cpu())).isBetween(leastMillis, 30_000L);
        assertThat(used.slots()).isEqualTo(1);
        assertThat(used.hosts()).hasSize(1);
        return new Ran(event, end, used);
    }

    private static long millis(@Nullable Duration time) {
        return requireNonNull(time).toMillis();
    }

    @Test
    void htcondorsHistorySaysTheSame() throws Exception {
        HtcondorLab.need();
        try (ContractRoom room = new ContractRoom(HtcondorLab.ACCOUNT, HtcondorLab.settings())) {
            // it counts whole seconds, and looks at its jobs now and then only
            Ran ran = burn(room, 0);
            AtomicReference<String> said = new AtomicReference<>("");
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                said.set(HtcondorLab.run(
                                "condor_history",
                                ran.id(),
                                "-limit",
                                "1",
                                "-af",
                                "RemoteUserCpu",
                                "RemoteSysCpu",
                                "RemoteWallClockTime",
                                "ResidentSetSize")
                        .out()
                        .strip());
                return requireNonNull(said.get()).split(" ", -1).length == 4;
            });
            String[] words = requireNonNull(said.get()).split(" ", -1);
            assertThat(millis(ran.used().userCpu()))
                    .isCloseTo((long) (1000 * Double.parseDouble(words[0])), within(1000L));
            assertThat(millis(ran.used().systemCpu()))
                    .isCloseTo((long) (1000 * Double.parseDouble(words[1])), within(1000L));
            assertThat(millis(ran.end().wallTime()))
                    .isCloseTo((long) (1000 * Double.parseDouble(words[2])), within(2000L));
            assertThat(ran.used().measuredBy()).isEqualTo(ResourceUse.Source.LRM);
        } finally {
            HtcondorLab.tidy();
        }
    }

    @Test
    void slurmsAccountingSaysTheSameSomeTimeLater() throws Exception {
        SlurmLab.need();
        try (ContractRoom room = new ContractRoom(SlurmLab.ACCOUNT, SlurmLab.settings())) {
            Ran ran = burn(room, 400);
            assertThat(ran.used().measuredBy()).isEqualTo(ResourceUse.Source.JOB);
            assertThat(ran.used().peakMemoryKiB()).isGreaterThan(58_000L);
            assertThat(ran.used().queue()).isEqualTo("main");
            JobId tag = ran.event().tag();
            AtomicReference<LrmUse> later = new AtomicReference<>();
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        later.set(room.lrm()
                                .used(
                                        SlurmLab.ACCOUNT,
                                        List.of(new Lrm.LrmJob(tag, ran.event().localIds())))
                                .get(tag));
                        return later.get() != null;
                    });
            LrmUse use = requireNonNull(later.get());
            String[] words = SlurmLab.run(
                            "sacct",
                            "-n",
                            "-P",
                            "-j",
                            ran.id() + ".batch",
                            "--format=totalcpu,elapsedraw,alloccpus,nodelist")
                    .out()
                    .strip()
                    .split("\\|", -1);
            String[] clock = words[0].split(":", -1);
            long cpu = (long) (1000
                    * (60 * Double.parseDouble(clock[clock.length - 2]) + Double.parseDouble(clock[clock.length - 1])));
            assertThat(millis(use.used().cpu())).isEqualTo(cpu);
            assertThat(millis(use.wall())).isEqualTo(1000 * Long.parseLong(words[1]));
            assertThat(use.used().slots()).isEqualTo(Integer.parseInt(words[2]));
            assertThat(use.used().hosts()).containsExactly(words[3]);
            assertThat(use.used().measuredBy()).isEqualTo(ResourceUse.Source.LRM);
            assertThat(millis(ran.used().cpu())).as("the job's own word").isCloseTo(cpu, within(500L));
        } finally {
            SlurmLab.tidy();
        }
    }

    @Test
    void gridEnginesAccountingSaysTheSame() throws Exception {
        SgeLab.need();
        try (ContractRoom room = new ContractRoom(SgeLab.ACCOUNT, SgeLab.settings())) {
            Ran ran = burn(room, 400);
            Map<String, String> said = new HashMap<>();
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                SgeLab.run("qacct", "-j", ran.id()).out().lines().forEach(line -> {
                    String[] halves = line.strip().split("\\s+", 2);
                    if (halves.length == 2) {
                        said.put(halves[0], halves[1].strip());
                    }
                });
                return said.containsKey("cpu");
            });
            assertThat(millis(ran.used().cpu())).isCloseTo(seconds(said, "cpu"), within(2L));
            assertThat(millis(ran.used().userCpu())).isCloseTo(seconds(said, "ru_utime"), within(2L));
            assertThat(millis(ran.used().systemCpu())).isCloseTo(seconds(said, "ru_stime"), within(2L));
            assertThat(millis(ran.end().wallTime())).isCloseTo(seconds(said, "ru_wallclock"), within(1500L));
            assertThat(ran.used().queue()).isEqualTo(said.get("qname"));
            assertThat(ran.used().hosts()).containsExactly(said.get("hostname"));
            assertThat(ran.used().peakMemoryKiB()).isGreaterThan(58_000L);
            assertThat(ran.used().measuredBy()).isEqualTo(ResourceUse.Source.LRM);
        } finally {
            SgeLab.tidy();
        }
    }

    private static long seconds(Map<String, String> said, String name) {
        return (long) (1000 * Double.parseDouble(requireNonNull(said.get(name)).replace("s", "")));
    }
}
