// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.jobs.UnusedJobs;
import org.jobgate.store.JobQuery;
import org.jobgate.store.sql.SampleJobs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a long list has while jobs come, change and go. */
class JobListingTest {

    private static final int MANY = 2 * JobListing.PIECE + 100;

    private final FewJobs jobs = new FewJobs();

    /** Jobs in order, of which some match. */
    private static final class FewJobs extends UnusedJobs {

        private final List<Job> matching = new CopyOnWriteArrayList<>();
        private final List<Integer> asked = new CopyOnWriteArrayList<>();
        private volatile int failAt = Integer.MAX_VALUE;

        @Override
        public List<Job> list(String subject, JobQuery query) {
            if (asked.size() >= failAt) {
                throw new FaultException(Fault.of(FaultCode.STORE_UNAVAILABLE, "The store is away.", "Wait."));
            }
            List<Job> found = matching.stream()
                    .filter(job -> query.after() == null || compare(job.id(), query.after()) > 0)
                    .filter(job -> query.until() == null || compare(job.id(), query.until()) <= 0)
                    .limit(query.limit())
                    .toList();
            asked.add(found.size());
            return found;
        }

        @Override
        public List<JobId> ids(String subject, JobQuery query) {
            return matching.stream().map(Job::id).limit(query.limit()).toList();
        }

        @Override
        public Optional<Job> find(String subject, JobId id) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<JobDescription> description(String subject, JobId id) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Job> awaitChange(String subject, JobId id, long seenVersion, Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isStopping() {
            return false;
        }

        private static int compare(JobId one, JobId other) {
            return one.toString().compareTo(other.toString());
        }
    }

    @BeforeEach
    void make() {
        SampleJobs samples = new SampleJobs(1);
        for (int i = 0; i < MANY; i++) {
            jobs.matching.add(samples.job(SampleJobs.ALICE, "j" + i, "Fork", "alice"));
        }
    }

    private JobListing listing(int limit) {
        return JobListing.of(jobs, SampleJobs.ALICE, JobQuery.all(), limit);
    }

    private static List<Job> taken(JobListing listing) {
        List<Job> taken = new ArrayList<>();
        listing.forEach(taken::add);
        return taken;
    }

    @Test
    void everyJobComesOnceInOrderInPiecesOfTheList() {
        JobListing listing = listing(MANY);

        assertThat(taken(listing)).isEqualTo(jobs.matching);
        assertThat(listing.next()).isEmpty();
        assertThat(jobs.asked).containsExactly(JobListing.PIECE, JobListing.PIECE, 100);
    }

    @Test
    void theLastOneIsNamedWhereThereAreMore() {
        for (int limit : new int[] {1, JobListing.PIECE, JobListing.PIECE + 1, MANY - 1}) {
            JobListing listing = listing(limit);

            assertThat(taken(listing)).isEqualTo(jobs.matching.subList(0, limit));
            assertThat(listing.next()).contains(jobs.matching.get(limit - 1).id());
        }
    }

    @Test
    void whatMatchesOnlySinceIsLeftOutAndKeepsNobodyOut() {
        List<Job> late = new ArrayList<>();
        for (int place = MANY - 1; place >= 0; place -= 5) {
            late.add(jobs.matching.remove(place));
        }
        List<Job> first = List.copyOf(jobs.matching);
        JobListing listing = listing(MANY);
        jobs.matching.addAll(late);
        jobs.matching.sort((one, other) -> FewJobs.compare(one.id(), other.id()));

        assertThat(taken(listing)).isEqualTo(first);
    }

    @Test
    void thousandsThatMatchOnlySinceKeepNobodyOut() {
        SampleJobs samples = new SampleJobs(2);
        List<Job> all = new ArrayList<>();
        for (int i = 0; i < 2 * JobQuery.MAX_LIMIT + MANY; i++) {
            all.add(samples.job(SampleJobs.ALICE, "k" + i, "Fork", "alice"));
        }
        all.sort((one, other) -> FewJobs.compare(one.id(), other.id()));
        // the first and the last ones match from the beginning
        List<Job> first = new ArrayList<>(all.subList(0, MANY / 2));
        first.addAll(all.subList(all.size() - MANY / 2, all.size()));
        jobs.matching.clear();
        jobs.matching.addAll(first);
        JobListing listing = listing(MANY);
        jobs.matching.clear();
        jobs.matching.addAll(all);

        assertThat(taken(listing)).isEqualTo(first);
    }

    @Test
    void whatIsGoneWhenItsPieceIsReadIsLeftOut() {
        JobListing listing = listing(MANY);
        List<Job> gone = new ArrayList<>();
        for (int place = MANY - 1; place >= 0; place -= 7) {
            gone.add(jobs.matching.get(place));
        }
        jobs.matching.removeAll(gone);

        assertThat(taken(listing)).isEqualTo(jobs.matching).hasSize(MANY - gone.size());
    }

    @Test
    void aStoreThatGoesAwayEndsTheListWithItsFault() {
        JobListing listing = listing(MANY);
        jobs.failAt = 1;
        List<Job> taken = new ArrayList<>();

        assertThatThrownBy(() -> listing.forEach(taken::add))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("The store is away.");
        assertThat(taken).isEqualTo(jobs.matching.subList(0, JobListing.PIECE));
    }
}
