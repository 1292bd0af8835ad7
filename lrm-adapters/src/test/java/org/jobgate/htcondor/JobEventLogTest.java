// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.htcondor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.htcondor.JobEventLog.Checkpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The job event log, from logs that a real HTCondor 23.9 wrote. */
class JobEventLogTest {

    private static final Path SAMPLES = Path.of("../docker/lab/samples/htcondor");

    @TempDir
    Path directory;

    private static List<JobEvent> sample(String name) throws IOException {
        return new JobEventLog(SAMPLES.resolve(name), Checkpoint.START).next(10_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ok        | SUBMIT EXECUTE IMAGE_SIZE TERMINATED
            signal    | SUBMIT EXECUTE IMAGE_SIZE TERMINATED
            cancelled | SUBMIT EXECUTE IMAGE_SIZE EVICTED ABORTED
            walltime  | SUBMIT EXECUTE IMAGE_SIZE ABORTED
            broken    | SUBMIT REMOTE_ERROR EVICTED HELD ABORTED
            suspended | SUBMIT EXECUTE SUSPENDED IMAGE_SIZE EVICTED ABORTED
            running   | SUBMIT EXECUTE IMAGE_SIZE EVICTED HELD RELEASED EXECUTE EVICTED ABORTED
            """)
    void readsTheEventsOfAJob(String job, String types) throws IOException {
        assertThat(sample(job + ".user-log.txt").stream()
                        .map(event -> event.type().orElseThrow().name()))
                .containsExactly(types.split(" ", -1));
    }

    @Test
    void readsHowAJobEnded() throws IOException {
        assertThat(sample("exit3.user-log.txt").getLast().exitCode()).hasValue(3);
        assertThat(sample("signal.user-log.txt").getLast().signal()).hasValue(11);
        assertThat(sample("signal.user-log.txt").getLast().exitCode()).isEmpty();
        assertThat(sample("walltime.user-log.txt").getLast().reason()).contains("PeriodicRemove");
        assertThat(sample("cancelled.user-log.txt").getLast().reason()).isEqualTo("via condor_rm (by user jobgate-a)");
        JobEvent held = sample("broken.user-log.txt").get(3);
        assertThat(held.holdCode()).hasValue(7);
        assertThat(held.reason()).contains("Failed to open '/no/such/directory/out'");
    }

    @Test
    void readsTheAttributesBesideAnEvent() throws IOException {
        List<JobEvent> events = sample("event-log.txt");

        assertThat(events.getFirst().cluster()).isEqualTo(-1);
        JobEvent ended = events.stream()
                .filter(event -> event.number() == 28 && event.body().contains("ReturnValue = 3"))
                .findFirst()
                .orElseThrow();
        assertThat(ended.ad().text("JobgateId")).contains("7f1e0c52-9a44-4d0b-8c1e-000000000002");
        assertThat(ended.ad().integer("ReturnValue")).hasValue(3);
        assertThat(ended.ad().get("ToE")).containsInstanceOf(ClassAdValue.Nested.class);
    }

    @Test
    void givesTheSameEventsFromAnyCheckpoint() throws IOException {
        List<JobEvent> all = sample("event-log.txt");
        JobEventLog first = new JobEventLog(SAMPLES.resolve("event-log.txt"), Checkpoint.START);
        List<JobEvent> pieces = new ArrayList<>();
        List<JobEvent> some = first.next(7);
        while (!some.isEmpty()) {
            pieces.addAll(some);
            some = new JobEventLog(
                            SAMPLES.resolve("event-log.txt"),
                            Checkpoint.parse(first.checkpoint().toString()))
                    .next(7);
            first = new JobEventLog(SAMPLES.resolve("event-log.txt"), first.checkpoint());
            List<JobEvent> again = first.next(7);
            assertThat(again).isEqualTo(some);
        }
        assertThat(pieces).isEqualTo(all).hasSizeGreaterThan(50);
    }

    private static String event(int number, String text) {
        return "%03d (007.001.000) 2026-11-20 17:46:44 %s\n\tbody of it\n...\n".formatted(number, text);
    }

    private Path log(String text) throws IOException {
        return Files.writeString(directory.resolve("log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void waitsForTheEndOfAnEventByteForByte() throws IOException {
        byte[] bytes = (event(0, "Job submitted") + event(5, "Job terminated")).getBytes(StandardCharsets.UTF_8);
        int firstEnd = event(0, "Job submitted").length();
        JobEventLog reader = new JobEventLog(directory.resolve("log"), Checkpoint.START);
        assertThat(reader.next(10)).isEmpty();
        int events = 0;
        for (int i = 0; i < bytes.length; i++) {
            Files.write(
                    directory.resolve("log"),
                    new byte[] {bytes[i]},
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            events += reader.next(10).size();
            assertThat(events).isEqualTo(i + 1 == bytes.length ? 2 : i + 1 >= firstEnd ? 1 : 0);
        }
    }

    @Test
    void givesAnUnknownNumberAndSkipsWhatIsNoEvent() throws IOException {
        Path path = log(event(99, "Of a later version") + "what nobody knows\n...\n" + event(8, "Generic"));

        List<JobEvent> events = new JobEventLog(path, Checkpoint.START).next(10);

        assertThat(events.stream().map(JobEvent::number)).containsExactly(99, 8);
        assertThat(events.getFirst().type()).isEmpty();
        assertThat(events.getLast().type()).contains(JobEvent.Type.GENERIC);
        assertThat(events.getLast().id()).isEqualTo("7.1");
    }

    @Test
    void goesOnInTheRenamedLogAndThenInTheNewOne() throws IOException {
        JobEventLog reader = new JobEventLog(log(event(0, "a")), Checkpoint.START);
        assertThat(reader.next(10)).hasSize(1);
        log(event(1, "b"));
        Files.move(directory.resolve("log"), directory.resolve("log.1"));
        log(event(5, "c"));

        assertThat(reader.next(10).stream().map(JobEvent::headline)).containsExactly("b", "c");
        assertThat(reader.next(10)).isEmpty();
    }

    @Test
    void beginsAnewWhereTheLogIsShorterThanItWas() throws IOException {
        JobEventLog reader = new JobEventLog(log(event(0, "a") + event(1, "b")), Checkpoint.START);
        assertThat(reader.next(10)).hasSize(2);
        Files.writeString(directory.resolve("log"), event(0, "c"));

        assertThat(reader.next(10).stream().map(JobEvent::headline)).containsExactly("c");
    }

    @Test
    void skipsAnEventThatHasNoEnd() throws IOException {
        Path path = log("x".repeat(JobEventLog.MAX_EVENT + 10));
        JobEventLog reader = new JobEventLog(path, Checkpoint.START);
        assertThat(reader.next(10)).isEmpty();
        log("\n...\n" + event(0, "a"));

        assertThat(reader.next(10).stream().map(JobEvent::headline)).containsExactly("a");
    }
}
