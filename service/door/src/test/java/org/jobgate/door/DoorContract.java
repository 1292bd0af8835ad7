// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.Servlet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.authz.Decision;
import org.jobgate.door.DoorClient.Followed;
import org.jobgate.door.DoorClient.Said;
import org.jobgate.door.DoorClient.Sender;
import org.jobgate.door.DoorClient.Wanted;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Later;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every front door does, whatever its clients speak. A class for each door makes it, and a client of it. The sentences are the
 * core's: a door shows them, so that a client of any door can be helped by the same page.
 */
public abstract class DoorContract {

    private static final Sender ALICE = new Sender(DoorRoom.ALICE, false);
    private static final Sender BOB = new Sender(DoorRoom.BOB, false);
    private static final Sender BANNED = new Sender(DoorRoom.MALLORY, false);
    private static final Sender LIMITED = new Sender(DoorRoom.ALICE, true);
    private static final Sender NOBODY = new Sender(null, false);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private DoorRoom room;
    private DoorClient client;

    /** The door, not started. */
    protected abstract FrontDoor door(DoorContext context);

    /** A client of the door in the room. */
    protected abstract DoorClient client(DoorRoom room);

    /** What answers for a mount; of a kind that this module does not know, the class of the door makes it. */
    protected Servlet servlet(Mount mount) {
        return ((ServletMount) mount).servlet();
    }

    @BeforeEach
    void open() throws Exception {
        room = new DoorRoom(directory, this::door, this::servlet);
        client = client(room);
    }

    @AfterEach
    void close() throws Exception {
        room.close();
    }

    private Said submit(String clientId) {
        return client.submit(ALICE, new Wanted(clientId, "/bin/true"));
    }

    private static JobId taken(Said said) {
        assertThat(said.job()).as(said.text()).isNotNull();
        return requireNonNull(said.job());
    }

    private static void assertRefused(Said said, String... words) {
        assertThat(said.isRefused()).as(said.text()).isTrue();
        assertThat(said.text()).contains(words);
    }

    @Test
    void nobodyGetsNothingAndIsToldWhatToShow() {
        JobId job = taken(submit("one"));

        assertRefused(client.submit(NOBODY, new Wanted("two", "/bin/true")), "without a credential");
        assertRefused(client.show(NOBODY, job), "without a credential");
        assertRefused(client.destroy(NOBODY, job), "without a credential");
        assertThat(room.engine.liveJobs()).isEqualTo(1);
    }

    /** RFC 3820 section 3.8, and Globus' rule for job managers. */
    @Test
    void aLimitedProxyStartsNoJobButLooksAtThem() {
        JobId job = taken(submit("one"));

        assertRefused(client.submit(LIMITED, new Wanted("two", "/bin/true")), "a limited proxy may not start jobs");
        assertThat(client.show(LIMITED, job).job()).isEqualTo(job);
        assertThat(room.engine.liveJobs()).isEqualTo(1);
    }

    @Test
    void whomThePolicyRefusesIsToldWhy() {
        assertRefused(client.submit(BANNED, new Wanted("one", "/bin/true")), "Mallory is banned");
        assertThat(room.engine.liveJobs()).isZero();
    }

    @Test
    void aJobOfAnotherADestroyedOneAndOneThatNeverWasAnswerAlike() {
        JobId foreign = taken(submit("one"));
        JobId destroyed = taken(client.submit(BOB, new Wanted("one", "/bin/true")));
        assertThat(client.destroy(BOB, destroyed).isRefused()).isFalse();
        // it is seen until the LRM has ended it
        await().atMost(PATIENCE).until(() -> client.show(BOB, destroyed).isRefused());
        JobId never = JobId.create(java.time.Clock.systemUTC(), new Random(9));

        for (JobId id : List.of(foreign, destroyed)) {
            assertThat(like(client.show(BOB, id), id)).isEqualTo(like(client.show(BOB, never), never));
            assertThat(like(client.destroy(BOB, id), id)).isEqualTo(like(client.destroy(BOB, never), never));
        }
        assertThat(client.show(ALICE, foreign).job()).isEqualTo(foreign);
    }

    /** The answer without the id, and without the times that some protocols put into each. */
    private static String like(Said said, JobId id) {
        assertThat(said.isRefused()).as(said.text()).isTrue();
        return said.text()
                .replace(id.toString(), "ID")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME")
                .replaceAll("(urn:)?uuid:[0-9a-f-]{36}", "UUID");
    }

    @Test
    void twoOwnersMayChooseTheSameId() {
        JobId ofAlice = taken(submit("one"));
        JobId ofBob = taken(client.submit(BOB, new Wanted("one", "/bin/true")));

        assertThat(ofBob).isNotEqualTo(ofAlice);
    }

    @Test
    void aRepeatedSubmissionIsTheSameJobAndStartsNothing() {
        JobId first = taken(submit("one"));
        JobId second = taken(submit("one"));

        assertThat(second).isEqualTo(first);
        await().atMost(PATIENCE).until(() -> room.lrm.starts(first) > 0);
        assertThat(room.lrm.starts(first)).isEqualTo(1);
        assertThat(room.engine.liveJobs()).isEqualTo(1);
    }

    @Test
    void anIdOfAnotherDescriptionIsRefused() {
        submit("one");

        assertRefused(client.submit(ALICE, new Wanted("one", "/bin/false")), "was used before");
    }

    @Test
    void oneBadJobOfManyIsRefusedAlone() {
        submit("taken");
        Optional<List<Said>> answers = client.submitAll(
                ALICE,
                List.of(
                        new Wanted("first", "/bin/true"),
                        new Wanted("taken", "/bin/false"),
                        new Wanted("last", "/bin/true")));
        assumeThat(answers).as("the protocol has requests for many jobs").isPresent();

        List<Said> said = answers.orElseThrow();
        assertThat(said).hasSize(3);
        assertThat(taken(said.get(0))).isNotEqualTo(taken(said.get(2)));
        assertRefused(said.get(1), "was used before");
        assertThat(room.engine.liveJobs()).isEqualTo(3);
    }

    @Test
    void whileTheServiceDrainsNewJobsAreRefusedAndOthersGoOn() {
        JobId job = taken(submit("one"));
        room.engine.drain();

        assertRefused(submit("two"), "takes no new jobs");
        assertThat(taken(submit("one"))).isEqualTo(job);
        assertThat(client.show(ALICE, job).job()).isEqualTo(job);
        room.engine.resume();
        taken(submit("two"));
    }

    @Test
    void whileTheServiceHasTooMuchToDoNewJobsAreRefusedWithTheReasonAndOthersGoOn() {
        JobId job = taken(submit("one"));
        AtomicReference<Optional<String>> overload =
                new AtomicReference<>(Optional.of("the load average of 1 minute is 52 (selfLimiter.load1 = 40)."));
        room.engine.heed(overload::get);

        assertRefused(submit("two"), "takes no new jobs", "the load average of 1 minute is 52");
        assertThat(taken(submit("one"))).isEqualTo(job);
        assertThat(client.show(ALICE, job).job()).isEqualTo(job);
        overload.set(Optional.empty());
        taken(submit("two"));
    }

    @Test
    void aLimitIsToldWithItsNameItsValueAndTheCount() {
        for (int i = 0; i < DoorRoom.MOST_JOBS; i++) {
            taken(submit("job-" + i));
        }

        assertRefused(submit("too many"), "limits.maxLiveJobsPerOwner", Integer.toString(DoorRoom.MOST_JOBS), "5");
        taken(client.submit(BOB, new Wanted("one", "/bin/true")));
    }

    /** A program must not give its job up for it, as it does where it is not authorized. */
    @Test
    void whatThePolicyDeniesForNowIsToldAsToComeAgain() {
        for (Later.Room whose : Later.Room.values()) {
            Later later = new Later(whose, Duration.ofSeconds(77));
            room.decides(new Decision.Deny("there are 5 live jobs, limit 5", later));

            Said refused = submit("one");
            assertRefused(refused, "may not submit jobs here at present", "5 live jobs", client.wordForLater(later));
            assertThat(room.engine.liveJobs()).isZero();
            room.decides(new Decision.Deny("you have left"));
            Said forGood = submit("one");
            assertRefused(forGood, "you have left");
            assertThat(forGood.text()).doesNotContain(client.wordForLater(later), "at present");
        }
        room.decides(new Decision.Permit(List.of("account")));
        taken(submit("one"));
    }

    @Test
    void aLimitOfAllJobsOfAnOwnerIsToldAsToComeAgain() {
        for (int i = 0; i < DoorRoom.MOST_JOBS; i++) {
            taken(submit("job-" + i));
        }

        assertRefused(submit("too many"), client.wordForLater(Later.whenThereIsRoom(Later.Room.OWNER)));
    }

    @Test
    void aServiceThatDiesBetweenRequestAndReplyStartsTheJobOnce() throws Exception {
        room.dieAfterNextSubmission();
        assertThat(submit("one").isRefused()).isTrue();

        room.restart();
        client = client(room);
        JobId job = taken(submit("one"));

        await().atMost(PATIENCE).until(() -> room.lrm.starts(job) > 0);
        assertThat(room.lrm.taken()).isEqualTo(1);
        assertThat(room.lrm.starts(job)).isEqualTo(1);
        assertThat(client.show(ALICE, job).job()).isEqualTo(job);
    }

    @Test
    void whoFollowsAJobSeesEachStateOnceAndInOrder() throws Exception {
        CountDownLatch isFollowed = new CountDownLatch(1);
        room.lrm.delaySubmissions(() -> awaitLatch(isFollowed));
        JobId job = taken(submit("one"));

        try (Followed followed = client.follow(ALICE, job)) {
            isFollowed.countDown();
            awaitWord(followed, JobState.PENDING);
            await().atMost(PATIENCE).until(() -> room.lrm.knows(job));
            room.lrm.start(job);
            awaitWord(followed, JobState.ACTIVE);
            room.lrm.end(job, 0);
            awaitWord(followed, JobState.DONE);

            assertThat(followed.words()).doesNotHaveDuplicates();
            assertThat(followed.words())
                    .containsSubsequence(
                            client.word(JobState.PENDING), client.word(JobState.ACTIVE), client.word(JobState.DONE));
        }
    }

    private void awaitWord(Followed followed, JobState state) {
        await().atMost(PATIENCE).until(() -> followed.words().contains(client.word(state)));
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
