// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter.chirp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jobgate.job.ChirpAccess;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.jobs.JobCredentials.Placement;
import org.jobgate.jobs.NoCredentials;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.StoreSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chirp itself is asked in ChirpIT of clients/interop; here a stand-in makes the tickets. */
class ChirpCredentialsTest {

    private static final Duration MARGIN = Duration.ofDays(1);
    private static final ChirpServer FAST =
            new ChirpServer("fast", "fast:9094", List.of("/pub"), List.of("/home/${account}"));
    private static final ChirpServer SLOW = new ChirpServer("slow", "slow:9094", List.of("/pub"), List.of());
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Servers servers = new Servers();
    private final Set<JobId> woken = ConcurrentHashMap.newKeySet();

    @TempDir
    private Path directory;

    private JobStore store;

    /** How much later than the machine's clock says it is when the next credentials begin. */
    private Duration later = Duration.ZERO;

    private ChirpCredentials credentials;

    /** Tickets by job; the slow server answers when it is let. */
    private static final class Servers implements TicketMaker {
        private final Map<JobId, String> tickets = new ConcurrentHashMap<>();
        private final CountDownLatch slow = new CountDownLatch(1);
        private final ConcurrentLinkedQueue<String> askedOfSlow = new ConcurrentLinkedQueue<>();
        private volatile boolean isAway;
        private volatile boolean refuses;

        @Override
        public Answer make(Place place, Map<String, String> rights, Duration lifetime) throws LrmUnavailableException {
            if (place.server().equals(SLOW.address())) {
                askedOfSlow.add(place.account());
                try {
                    slow.await();
                } catch (InterruptedException e) {
                    throw new LrmUnavailableException("interrupted", e);
                }
            }
            check();
            if (refuses || rights.containsKey("/pub/none")) {
                return new Answer.Refused("/pub/none: No such file or directory");
            }
            String subject = "ticket:" + place.known().size();
            tickets.put(place.job(), subject);
            return new Answer.Made("/spool/" + place.job(), subject);
        }

        @Override
        public void drop(Place place, boolean hasExpired) throws LrmUnavailableException {
            check();
            tickets.remove(place.job());
        }

        private void check() throws LrmUnavailableException {
            if (isAway) {
                throw new LrmUnavailableException("nobody answers");
            }
        }
    }

    @BeforeEach
    void open() {
        store = JobStores.open(StoreSettings.of("sqlite:jobs.db").resolvedAgainst(directory), Clock.systemUTC());
        credentials = begun(Duration.ofDays(1));
    }

    private ChirpCredentials begun(Duration longest) {
        return begun(longest, FAST, SLOW);
    }

    private ChirpCredentials begun(Duration longest, ChirpServer... known) {
        ChirpCredentials made = new ChirpCredentials(
                NoCredentials.INSTANCE,
                new ChirpSettings(List.of(known), longest, MARGIN),
                Set.of("Fork"),
                servers,
                store,
                Clock.offset(Clock.systemUTC(), later));
        made.onChange(woken::add);
        made.start();
        return made;
    }

    @AfterEach
    void close() {
        servers.slow.countDown();
        credentials.close();
        store.close();
    }

    private static JobDescription reading(String server, String path) {
        return JobDescription.builder("/bin/true")
                .chirp(new ChirpAccess(server, List.of(path), List.of()))
                .build();
    }

    private Job job(String owner, JobDescription description) {
        JobId id = JobId.create(Clock.systemUTC(), new Random());
        Job job = Job.create(
                id,
                new SubmissionKey(owner, "test", id.toString()),
                "trial",
                new Owner(owner, "alice"),
                "Fork",
                null,
                Instant.now(),
                null);
        store.create(new NewJob(job, description, List.of())).join();
        return job;
    }

    private Placement awaited(Job job, JobDescription description) {
        assertThat(credentials.place(job, description)).isInstanceOf(Placement.Waiting.class);
        await().atMost(PATIENCE).until(() -> woken.contains(job.id()));
        return credentials.place(job, description);
    }

    @Test
    void aJobWaitsForItsTicketHasItAndLosesItAtItsEnd() {
        JobDescription description = reading("fast", "/pub/a");
        Job job = job("/CN=a", description);
        assertThat(awaited(job, description))
                .isEqualTo(new Placement.Placed(
                        Map.of("CHIRP_CLIENT_TICKETS", "/spool/" + job.id(), "JOBGATE_CHIRP_SERVER", "fast:9094"),
                        Optional.empty()));
        assertThat(credentials.areWantedBy(description)).isTrue();
        credentials.remove(job);
        await().atMost(PATIENCE).until(servers.tickets::isEmpty);
        await().atMost(PATIENCE).until(() -> credentials.figures().held() == 0);
        assertThat(credentials.figures()).isEqualTo(new TicketFigures(0, 0, 1, 0, 0, 1));
    }

    @Test
    void aServerThatDoesNotAnswerHoldsNobodyElsesJobs() {
        for (int i = 0; i < 2 * TicketTurns.AT_ONCE; i++) {
            JobDescription slow = reading("slow", "/pub");
            credentials.place(job("/CN=slow " + i, slow), slow);
        }
        await().atMost(PATIENCE).until(() -> servers.askedOfSlow.size() == TicketTurns.OF_ONE_SERVER);
        JobDescription fast = reading("fast", "/pub");
        assertThat(awaited(job("/CN=other", fast), fast)).isInstanceOf(Placement.Placed.class);
        assertThat(servers.askedOfSlow).hasSize(TicketTurns.OF_ONE_SERVER);
    }

    @Test
    void oneOwnersJobsDoNotHaveAllPlaces() {
        for (int i = 0; i < TicketTurns.AT_ONCE; i++) {
            JobDescription slow = reading("slow", "/pub");
            credentials.place(job("/CN=many", slow), slow);
        }
        await().atMost(PATIENCE).until(() -> servers.askedOfSlow.size() == TicketTurns.OF_ONE_OWNER);
        JobDescription slow = reading("slow", "/pub");
        credentials.place(job("/CN=few", slow), slow);
        await().atMost(PATIENCE).until(() -> servers.askedOfSlow.size() == TicketTurns.OF_ONE_OWNER + 1);
    }

    @Test
    void whatTheServerDoesNotGiveEndsTheJobWithItsWords() {
        JobDescription description = reading("fast", "/pub/none");
        Placement placement = awaited(job("/CN=a", description), description);
        assertThat(placement).isInstanceOfSatisfying(Placement.Refused.class, refused -> {
            assertThat(refused.fault().code()).isEqualTo(FaultCode.CREDENTIAL_UNUSABLE);
            assertThat(refused.fault().sentence()).contains("/pub/none: No such file or directory");
        });
    }

    @Test
    void ticketsThatARunOfTheServiceHasLeftAreWithdrawnByTheNextOne() {
        JobDescription description = reading("fast", "/pub");
        Job job = job("/CN=a", description);
        awaited(job, description);
        servers.isAway = true;
        credentials.remove(job);
        await().atMost(PATIENCE).until(() -> credentials.figures().failed() > 0);
        credentials.close();
        assertThat(servers.tickets).containsKey(job.id());
        servers.isAway = false;
        credentials = begun(Duration.ofDays(1));
        credentials.remove(job); // its clean-up was not over
        await().atMost(PATIENCE).until(servers.tickets::isEmpty);
    }

    @Test
    void aTicketIsRenewedBeforeItEnds() {
        JobDescription description = reading("fast", "/pub/a");
        Job job = job("/CN=a", description);
        awaited(job, description);
        later = Duration.ofHours(10);
        credentials.close();
        credentials = begun(Duration.ofDays(1));
        assertThat(servers.tickets).containsEntry(job.id(), "ticket:0");
        credentials.close();
        later = Duration.ofHours(13);
        credentials = begun(Duration.ofDays(1));
        await().atMost(PATIENCE).until(() -> "ticket:1".equals(servers.tickets.get(job.id())));
    }

    /** A job keeps what it has; what the site has taken back it gives to nobody anew. */
    @Test
    void aTicketToWhatTheSiteHasTakenBackIsNotRenewed() {
        JobDescription description = reading("fast", "/pub/a");
        Job job = job("/CN=a", description);
        awaited(job, description);
        credentials.close();
        later = Duration.ofHours(13);
        credentials = begun(Duration.ofDays(1), SLOW);
        await().atMost(PATIENCE).until(() -> credentials.figures().failed() > 0);
        assertThat(servers.tickets).containsEntry(job.id(), "ticket:0");
    }

    /** Jobs that had no ticket yet get it from where the server is now. */
    @Test
    void aServerThatHasMovedIsAskedWhereItIsNow() {
        servers.isAway = true;
        JobDescription description = reading("fast", "/pub/a");
        Job job = job("/CN=a", description);
        credentials.place(job, description);
        await().atMost(PATIENCE).until(() -> credentials.figures().failed() > 0);
        credentials.close();
        servers.isAway = false;
        credentials = begun(
                Duration.ofDays(1), new ChirpServer(FAST.name(), "new:9094", FAST.directories(), FAST.writable()));
        assertThat(awaited(job, description))
                .isInstanceOfSatisfying(
                        Placement.Placed.class,
                        placed -> assertThat(placed.toString()).contains("new:9094"));
    }

    /** A ticket that has ended is of no use: that there is no other ends the wait. */
    @Test
    void aJobWhoseTicketHasEndedIsToldThatThereIsNoOther() {
        JobDescription description = reading("fast", "/pub/a");
        Job job = job("/CN=a", description);
        awaited(job, description);
        credentials.close();
        servers.refuses = true;
        later = Duration.ofDays(2);
        woken.clear();
        credentials = begun(Duration.ofDays(1));
        assertThat(awaited(job, description)).isInstanceOf(Placement.Refused.class);
    }

    /** Such a record keeps no other job, and not the gateway, from working. */
    @Test
    void aRecordThatCannotBeReadIsPassedOver() {
        credentials.close();
        for (String body : List.of("a", "alice\nFork\nfast:9094\n/x\ny\n1\n2\nticket:0")) {
            JobId id = JobId.create(Clock.systemUTC(), new Random());
            store.putRecord(new DoorRecord(TicketRecords.KIND, id.toString(), null, "/CN=a", body, Instant.now()))
                    .join();
        }
        credentials = begun(Duration.ofDays(1));
        JobDescription description = reading("fast", "/pub/a");
        assertThat(awaited(job("/CN=a", description), description)).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void whatTheSiteDoesNotAllowIsRefusedByItsName() {
        assertThat(refusal("alice", List.of("/pub/a"), List.of("/home/alice/x")))
                .isEmpty();
        assertThat(refusal("alice", List.of("/public"), List.of())).contains("to read in /public");
        assertThat(refusal("alice", List.of(), List.of("/pub"))).contains("to write in /pub");
        assertThat(refusal("alice", List.of(), List.of("/home/bob"))).contains("to write in /home/bob");
        ChirpCredentials none = new ChirpCredentials(
                NoCredentials.INSTANCE,
                new ChirpSettings(List.of(), Duration.ofDays(1), Duration.ofHours(1)),
                Set.of("Fork"),
                servers,
                store,
                Clock.systemUTC());
        assertThat(none.refusal(new Owner("/CN=a", "alice"), reading("fast", "/pub")))
                .hasValueSatisfying(fault -> assertThat(fault.code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE));
        none.close();
        assertThat(credentials.refusal(new Owner("/CN=a", "alice"), reading("odd", "/pub")))
                .map(Fault::sentence)
                .contains("There is no Chirp server odd here; there are: fast, slow.");
    }

    private String refusal(String account, List<String> read, List<String> write) {
        JobDescription description = JobDescription.builder("/bin/true")
                .chirp(new ChirpAccess(null, read, write))
                .build();
        return credentials
                .refusal(new Owner("/CN=a", account), description)
                .map(Fault::sentence)
                .orElse("");
    }
}
