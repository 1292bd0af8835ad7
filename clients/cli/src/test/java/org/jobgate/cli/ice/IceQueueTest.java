// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jobgate.cli.command.CommandException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the queue does with jobs, also when a process is killed and when the outcome of a request is unknown. */
class IceQueueTest {

    private static final String ONE = "one.example.org:8443/cream-pbs-long";
    private static final String TWO = "two.example.org:8443/cream-pbs-long";

    @TempDir
    Path folder;

    private QueueFile file;
    private JobQueue queue;
    private JobChanges changes;
    private long now = 1_000_000;

    @BeforeEach
    void open() throws Exception {
        file = QueueFile.open(folder.resolve("queue"));
        queue = new JobQueue(file);
        changes = new JobChanges(file);
    }

    @AfterEach
    void close() {
        file.close();
    }

    private void reopen() throws Exception {
        file.close();
        open();
        queue.free();
    }

    private void add(String id, String owner, int retries, int shallow, String... places) {
        JobRequest request = new JobRequest(
                id, owner, "/proxy", null, List.of(places), "[ Executable = \"/bin/true\"; ]", retries, shallow);
        assertThat(queue.add(List.of(request), now)).isEmpty();
    }

    private List<QueuedJob> take(int most, String... closed) {
        return queue.take(most, now, (owner, endpoint) -> Set.of(closed).contains(endpoint) ? now + 60_000 : 0);
    }

    private QueuedJob takeOne(String... closed) {
        List<QueuedJob> taken = take(1, closed);
        assertThat(taken).hasSize(1);
        return taken.getFirst();
    }

    private String line(String id) {
        List<String> lines = new ArrayList<>();
        assertThat(new Overview(file).jobs(List.of(id), lines::add)).isEmpty();
        return lines.getFirst();
    }

    private void registered(QueuedJob job, String remote) {
        changes.registered(List.of(new JobChanges.Registered(job, remote, null, true, now)), now);
    }

    private void told(String endpoint, String remote, IceState state) {
        changes.told(endpoint, List.of(new JobChanges.Told(remote, state, now, null, state.word(), false)), null, now);
    }

    @Test
    void ownersTakeTurns() {
        for (int i = 0; i < 5; i++) {
            add("a" + i, "alice", 0, 0, ONE);
        }
        add("b0", "bob", 0, 0, ONE);

        assertThat(List.of(takeOne().owner(), takeOne().owner(), takeOne().owner()))
                .containsExactly("alice", "bob", "alice");
    }

    @Test
    void aJobWhoseRegistrationMayHaveArrivedGoesNowhereElseAndKeepsItsKey() throws Exception {
        add("j", "alice", 0, 0, ONE, TWO);
        QueuedJob first = takeOne();
        String other = first.endpoint().startsWith("one") ? "two" : "one";
        changes.later(List.of(first), now, "no answer", false);

        assertThat(take(1, first.endpoint())).as("while " + other + " is open").isEmpty();
        now += 60_001;
        QueuedJob second = takeOne();

        assertThat(second.key()).isEqualTo(first.key());
        assertThat(second.place()).isEqualTo(first.place());
        assertThat(second.wasSent()).isTrue();
    }

    @Test
    void aManagerThatIsKilledBetweenTakingAndWritingDownRepeatsTheSameRegistration() throws Exception {
        add("j", "alice", 0, 0, ONE, TWO);
        QueuedJob first = takeOne();

        reopen();

        assertThat(takeOne()).extracting(QueuedJob::key, QueuedJob::place).containsExactly(first.key(), first.place());
        assertThat(take(1)).isEmpty();
    }

    @Test
    void aJobThatWasSurelyNotSentGoesToItsOtherQueue() {
        add("j", "alice", 0, 0, ONE, TWO);
        QueuedJob first = takeOne();
        changes.later(List.of(first), now, "refused the connection", true);

        assertThat(takeOne(first.endpoint()).endpoint()).isNotEqualTo(first.endpoint());
    }

    @Test
    void jobsForAnElementThatIsAwayKeepNoOthersWaiting() {
        for (int i = 0; i < 3; i++) {
            add("x" + i, "alice", 0, 0, ONE);
        }
        add("y", "alice", 0, 0, TWO);

        assertThat(take(10, "one.example.org:8443")).extracting(QueuedJob::id).containsExactly("y");
    }

    /** More than are looked at at a time. */
    @Test
    void howeverManyJobsWaitForAnElementThatIsAwayThoseBehindThemAreTaken() {
        List<JobRequest> many = IntStream.range(0, 2_500)
                .mapToObj(i -> new JobRequest(
                        "x" + i, "alice", "/proxy", null, List.of(ONE), "[ Executable = \"/bin/true\"; ]", 0, 0))
                .toList();
        assertThat(queue.add(many, now)).isEmpty();
        add("y", "alice", 0, 0, TWO);

        assertThat(take(10, "one.example.org:8443")).extracting(QueuedJob::id).containsExactly("y");
        assertThat(take(10)).as("they wait until it opens").isEmpty();
        now += 60_001;
        assertThat(take(10)).hasSize(10);
    }

    @Test
    void aJobIsRetriedAsOftenAsItsCountsSayAndCountsWhatHadBegunApart() {
        add("j", "alice", 1, 1, ONE);
        registered(takeOne(), "CREAM1");
        told("one.example.org:8443", "CREAM1", IceState.ABORTED);
        assertThat(line("j")).startsWith("j\tQUEUED\t2\t");
        registered(takeOne(), "CREAM2");
        told("one.example.org:8443", "CREAM2", IceState.REALLY_RUNNING);
        told("one.example.org:8443", "CREAM2", IceState.DONE_FAILED);
        assertThat(line("j")).startsWith("j\tQUEUED\t3\t");
        registered(takeOne(), "CREAM3");

        told("one.example.org:8443", "CREAM3", IceState.DONE_FAILED);

        assertThat(line("j")).startsWith("j\tDONE-FAILED\t3\t");
        told("one.example.org:8443", "CREAM3", IceState.RUNNING);
        assertThat(line("j")).as("an end is final").startsWith("j\tDONE-FAILED\t3\t");
    }

    @Test
    void aJobThatItsElementDoesNotKnowIsNotRunAgain() {
        add("j", "alice", 5, 5, ONE);
        registered(takeOne(), "CREAM1");

        changes.told(
                "one.example.org:8443",
                List.of(new JobChanges.Told("CREAM1", IceState.ABORTED, now, null, "job not found!", true)),
                null,
                now);

        assertThat(line("j")).startsWith("j\tABORTED\t1\t");
    }

    @Test
    void aJobIsTriedElsewhereWhereItWasRefusedButNotWhereAnAnswerWasLostBefore() {
        add("fresh", "alice", 0, 1, ONE);
        changes.refused(takeOne(), "no such queue", now);
        assertThat(line("fresh")).startsWith("fresh\tQUEUED\t2\t");
        changes.refused(takeOne(), "no such queue", now);
        assertThat(line("fresh")).startsWith("fresh\tABORTED\t2\t");
        add("lost", "alice", 0, 1, ONE);
        changes.later(List.of(takeOne()), now, "no answer", false);

        changes.refused(takeOne(), "no such queue", now);

        assertThat(line("lost")).startsWith("lost\tABORTED\t1\t");
    }

    @Test
    void aWishToCancelHoldsWhereverTheJobIs() {
        Cancellations cancellations = new Cancellations(file);
        add("waits", "alice", 0, 0, ONE);
        assertThat(cancellations.cancel(List.of("waits", "none"), now)).containsExactly("none");
        assertThat(line("waits")).startsWith("waits\tCANCELLED");
        assertThat(take(1)).isEmpty();
        add("sent", "alice", 3, 3, ONE);
        QueuedJob sent = takeOne();
        assertThat(cancellations.cancel(List.of("sent"), now)).isEmpty();

        registered(sent, "CREAM9");

        LiveJobs.Share share = new LiveJobs.Share("alice", "one.example.org:8443");
        assertThat(new LiveJobs(file).unwanted(share, now, 10)).containsExactly("CREAM9");
        told("one.example.org:8443", "CREAM9", IceState.DONE_FAILED);
        assertThat(line("sent")).startsWith("sent\tCANCELLED\t1\t");
    }

    @Test
    void theSameIdIsTheSameJobAndASecondManagerIsRefused() throws Exception {
        add("j", "alice", 0, 0, ONE);
        add("j", "alice", 0, 0, ONE);
        assertThat(new Overview(file).counts()).containsExactly("QUEUED\t1");
        file.lock();
        try (QueueFile second = QueueFile.open(folder.resolve("queue"))) {
            assertThatThrownBy(second::lock)
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("Another ice run");
            assertThat(new Overview(second).counts())
                    .as("others read meanwhile")
                    .hasSize(1);
        }
    }

    @Test
    void aFileInTheSpoolThatCannotBeTakenKeepsNoOthersWaiting() throws Exception {
        add("j", "alice", 0, 0, ONE);
        Path spool = QueueFile.spool(folder.resolve("queue"));
        Files.writeString(spool.resolve("x".repeat(251) + ".jdl"), "no JDL");
        Files.writeString(spool.resolve("nul.jdl"), "[ ce_id = \"" + ONE + "\"; X509UserProxy = \"/a\0b\"; ]");
        Files.write(spool.resolve("bytes.cancel"), new byte[] {(byte) 0xff, '\n'});
        Files.createFile(spool.resolve("closed.cancel"), PosixFilePermissions.asFileAttribute(Set.of()));
        Files.writeString(spool.resolve("x".repeat(248) + ".cancel"), "x".repeat(1 << 20) + "\n");
        Files.writeString(spool.resolve("good.cancel"), "j\n");
        List<String> said = new ArrayList<>();
        Spool files = new Spool(folder.resolve("queue"), queue, new Cancellations(file), Clock.systemUTC(), said::add);

        while (files.take() > 0) {
            assertThat(said).as("what was said in so many turns").hasSizeLessThan(10);
        }

        assertThat(line("j")).startsWith("j\tCANCELLED\t");
        try (Stream<Path> left = Files.list(spool)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
        assertThat(said).anyMatch(it -> it.contains("larger than 1 MiB")).anyMatch(it -> it.contains("UTF-8"));
    }

    @Test
    void aDirectoryThatOthersMayUseIsRefused() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwx---"));

        assertThatThrownBy(() -> QueueFile.open(open))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("chmod 700");
    }

    @Test
    void whatEndedLongAgoIsForgotten() {
        add("j", "alice", 0, 0, ONE);
        registered(takeOne(), "CREAM1");
        told("one.example.org:8443", "CREAM1", IceState.DONE_OK);
        Overview overview = new Overview(file);
        overview.forget(now);
        assertThat(overview.counts()).hasSize(1);

        overview.forget(now + 1);

        assertThat(overview.counts()).isEmpty();
        List<String> steps = new ArrayList<>();
        overview.steps(List.of(), steps::add);
        assertThat(steps).isEmpty();
    }

    @Test
    void textsOfServicesCannotOrderTheTerminalAnything() {
        add("j", "alice", 0, 0, ONE);
        changes.refused(takeOne(), "no\u009b2J room\u202e", now);

        assertThat(line("j")).contains("no 2J room ").doesNotContain("\u009b", "\u202e");
    }
}
