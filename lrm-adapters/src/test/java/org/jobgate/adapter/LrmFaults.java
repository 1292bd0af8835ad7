// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.Test;

/** What the faults of an LRM's commands may not do to jobs, whichever LRM it is. A class for each gives its commands and its room. */
abstract class LrmFaults {

    private static final int JOBS = 200;

    /** One of so many is cancelled. */
    private static final int UNWANTED = 10;

    /** In place of the exit code of a job that is cancelled. */
    private static final int CANCELLED = -1;

    private static final Duration CANCEL_RETRY = Duration.ofSeconds(1);

    /** As often at least the jobs that nobody wants are cancelled while the commands are faulty. */
    private static final int FAULTY_CANCELS = 6;

    private static final double SHARE = 0.5;
    private static final Duration FAULTY = Duration.ofSeconds(40);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Patience with one call of the worker: a command that hangs is given up after about a quarter of it. */
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);

    /** How many jobs are submitted at once: fewer where an LRM takes all of them with one command, which would go wrong too seldom. */
    int batch() {
        return 20;
    }

    /** The account the jobs run as. */
    abstract String account();

    /** The LRM's commands that the adapter calls. */
    abstract List<Path> commands();

    /** A room whose adapter finds the LRM's commands in this directory. */
    abstract ContractRoom openRoom(Path bin) throws IOException;

    /** Each job says that it runs, works a while, and ends with a code of its own; some never end by themselves. */
    private static JobDescription.Builder job(ContractRoom room, int number) {
        return room.sh("echo $JOBGATE_JOB_ID >> ran; "
                + (isUnwanted(number) ? "exec sleep 900" : "sleep " + number % 4 + "; exit " + number % 100));
    }

    /** Whether its owner takes the job of this number back. */
    private static boolean isUnwanted(int number) {
        return number % UNWANTED == UNWANTED - 1;
    }

    private static int codeOf(int number) {
        return isUnwanted(number) ? CANCELLED : number % 100;
    }

    @Test
    void noneOfTwoHundredJobsEndsWronglyIsLostOrDoubledAndCancelsReachTheirs() throws Exception {
        try (FaultyCommands faulty = new FaultyCommands(commands(), account(), SHARE);
                ContractRoom room = openRoom(faulty.directory())) {
            faulty.begin();
            long until = System.nanoTime() + FAULTY.toNanos();
            Map<JobId, Integer> codes = new LinkedHashMap<>();
            while (codes.size() < JOBS) {
                submitAll(room, codes, batch());
            }
            for (int i = 0; i < FAULTY_CANCELS || System.nanoTime() < until; i++) {
                cancelUnwanted(room, codes);
                TimeUnit.MILLISECONDS.sleep(CANCEL_RETRY.toMillis());
            }
            checkEnds(room, codes);
            faulty.end();

            await().atMost(PATIENCE).pollInterval(CANCEL_RETRY).until(() -> {
                cancelUnwanted(room, codes);
                return codes.keySet().stream().allMatch(tag -> room.kinds(tag).contains(Kind.ENDED));
            });

            checkEnds(room, codes);
            checkRuns(Files.readAllLines(room.work.resolve("ran")), codes);
            assertThat(faulty.done().values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .as("faults: %s", faulty.done())
                    .isGreaterThan(20);
            System.out.println(
                    "faults that " + JOBS + " jobs of " + room.lrm().name() + " lived through: " + faulty.done());
        }
    }

    /** As the engine does it: what is unclear is asked for again by tag. */
    private static void submitAll(ContractRoom room, Map<JobId, Integer> codes, int batch) {
        List<SubmitRequest> requests = new ArrayList<>();
        for (int i = 0; i < batch; i++) {
            int number = codes.size();
            JobId tag = room.newTag();
            codes.put(tag, codeOf(number));
            requests.add(new SubmitRequest(tag, job(room, number).build(), false));
        }
        List<SubmitRequest> left = requests;
        for (int tries = 0; !left.isEmpty(); tries++) {
            assertThat(tries).as("tries to submit").isLessThan(60);
            List<SubmitResult> results = room.lrm().submit(room.account, left);
            List<SubmitRequest> unclear = new ArrayList<>();
            for (int i = 0; i < results.size(); i++) {
                assertThat(results.get(i)).isNotInstanceOf(SubmitResult.Refused.class);
                if (results.get(i) instanceof SubmitResult.Unclear) {
                    unclear.add(new SubmitRequest(left.get(i).tag(), left.get(i).description(), true));
                }
            }
            left = unclear;
        }
    }

    /** As the engine does it: until the end is told. A job that the LRM took is never said not to be there. */
    private static void cancelUnwanted(ContractRoom room, Map<JobId, Integer> codes) {
        List<Lrm.LrmJob> unwanted = codes.entrySet().stream()
                .filter(job ->
                        job.getValue() == CANCELLED && !room.kinds(job.getKey()).contains(Kind.ENDED))
                .map(job -> new Lrm.LrmJob(job.getKey(), room.localIds(job.getKey())))
                .toList();
        if (!unwanted.isEmpty()) {
            assertThat(room.lrm().cancel(room.account, unwanted)).doesNotContain(new CancelResult.NotThere());
        }
    }

    /** Each job ran once; one that was cancelled may have been so before. */
    private static void checkRuns(List<String> ran, Map<JobId, Integer> codes) {
        assertThat(ran).doesNotHaveDuplicates();
        assertThat(ran).isSubsetOf(codes.keySet().stream().map(JobId::toString).toList());
        assertThat(ran)
                .containsAll(codes.entrySet().stream()
                        .filter(job -> job.getValue() != CANCELLED)
                        .map(job -> job.getKey().toString())
                        .toList());
    }

    private static void checkEnds(ContractRoom room, Map<JobId, Integer> codes) {
        for (LrmEvent event : room.events) {
            if (event.kind() == Kind.ENDED) {
                LrmEvent.End end = requireNonNull(event.end());
                int code = requireNonNull(codes.get(event.tag()), "a job of somebody else");
                assertThat(end.cause()).as("%s", event).isEqualTo(code == CANCELLED ? Cause.CANCELLED : Cause.EXITED);
                if (code != CANCELLED) {
                    assertThat(end.exitCode()).as("%s", event).isEqualTo(code);
                }
            }
        }
        codes.keySet()
                .forEach(tag -> assertThat(room.kinds(tag).stream()
                                .filter(kind -> kind == Kind.ENDED)
                                .count())
                        .as("ends of %s", tag)
                        .isLessThanOrEqualTo(1));
    }
}
