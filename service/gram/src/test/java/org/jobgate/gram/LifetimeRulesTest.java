// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jobgate.gram.service.LifetimeRules;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.soap.Answer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The site's rules for how long jobs live, as each generation's clients see them. */
class LifetimeRulesTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String JOB = "ManagedExecutableJobService";
    private static final Instant IN_TWO_DAYS = Door.NOW.plus(Duration.ofDays(2));
    private static final Instant IN_TWO_YEARS = Door.NOW.plus(Duration.ofDays(730));

    /** A day by default, a month at most, an hour after the end. */
    private static final Door STRICT = door(Duration.ofDays(1), Duration.ofDays(30), Duration.ofHours(1));
    /** No default; a month at most. */
    private static final Door BOUNDED = door(null, Duration.ofDays(30), null);
    /** As the originals. */
    private static final Door DEFAULT = new Door();

    private static Door door(@Nullable Duration byDefault, Duration longest, @Nullable Duration keep) {
        LifetimeRules rules = new LifetimeRules(keep, longest, byDefault);
        return new Door(settings -> settings.withLifetimes(Map.of(Generation.GT40, rules, Generation.GT42, rules)));
    }

    @AfterAll
    static void close() {
        STRICT.close();
        BOUNDED.close();
        DEFAULT.close();
    }

    private static Answer create(Door door, Generation generation, String time) {
        String job = "<d:job xmlns:d=\"" + generation.gram()
                + "/description\"><d:executable>/bin/date</d:executable></d:job>";
        return door.post(
                FACTORY, generation == Generation.GT40 ? Envelopes.create(time + job) : Envelopes42.create(time + job));
    }

    private static Job created(Door door, Generation generation, String time) {
        Answer answer = create(door, generation, time);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return door.store.find(JobId.parse(answer.one("ResourceID"))).orElseThrow();
    }

    private static String time(Instant time) {
        return "<InitialTerminationTime>" + time + "</InitialTerminationTime>";
    }

    private static Answer setTime(Door door, Job job, Generation generation, @Nullable Instant time) {
        String requested = time == null
                ? "<RequestedTerminationTime xsi:nil=\"true\"/>"
                : "<RequestedTerminationTime>" + time + "</RequestedTerminationTime>";
        String body = "<SetTerminationTime xmlns=\"" + generation.wsrl() + "\">" + requested + "</SetTerminationTime>";
        String id = job.id().toString();
        return door.post(
                JOB,
                generation == Generation.GT40
                        ? Envelopes.of(Envelopes.resource(id), body)
                        : Envelopes42.toJob(job.id(), body));
    }

    @Test
    void aJobWithoutATerminationTimeGetsTheSitesDefault() {
        for (Generation generation : Generation.values()) {
            Job job = created(STRICT, generation, "");
            assertThat(job.terminationTime()).isEqualTo(Door.NOW.plus(Duration.ofDays(1)));
            assertThat(job.keepAfterEnd()).isEqualTo(Duration.ofHours(1));
            assertThat(created(STRICT, generation, time(IN_TWO_DAYS)).terminationTime())
                    .isEqualTo(IN_TWO_DAYS);
        }
    }

    @Test
    void aTimeBeyondTheLongestIsRefusedInEachGenerationsWay() {
        Answer older = create(STRICT, Generation.GT40, time(IN_TWO_YEARS));
        assertThat(older.fault().localName()).isEqualTo("BaseFault");
        assertThat(older.one("Description"))
                .contains("maxJobLifetime = 2592000 s")
                .contains("Ask for an earlier one");
        assertThat(create(STRICT, Generation.GT42, time(IN_TWO_YEARS)).fault().localName())
                .isEqualTo("UnableToSetTerminationTimeFault");
        for (Generation generation : Generation.values()) {
            Job job = created(STRICT, generation, "");
            assertThat(setTime(STRICT, job, generation, IN_TWO_YEARS).fault().name())
                    .isEqualTo(generation.lifetime("UnableToSetTerminationTimeFault"));
        }
    }

    @Test
    void neverOfAnOlderClientIsGrantedAsTheLongestTime() {
        Job job = created(BOUNDED, Generation.GT40, "<InitialTerminationTime xsi:nil=\"true\"/>");
        assertThat(job.terminationTime()).isEqualTo(Door.NOW.plus(Duration.ofDays(30)));
        assertThat(setTime(BOUNDED, job, Generation.GT40, null).one("NewTerminationTime"))
                .isEqualTo("2026-12-20T14:55:55.000Z");
        assertThat(created(BOUNDED, Generation.GT42, "").terminationTime()).isNull();
    }

    @Test
    void withoutRulesOfTheSiteJobsLiveAsTheOriginalsHadIt() {
        Job older = created(DEFAULT, Generation.GT40, time(IN_TWO_YEARS));
        assertThat(older.terminationTime()).isEqualTo(IN_TWO_YEARS);
        assertThat(created(DEFAULT, Generation.GT40, "").terminationTime()).isNull();
        assertThat(created(DEFAULT, Generation.GT40, "").keepAfterEnd()).isNull();
        assertThat(requireNonNull(created(DEFAULT, Generation.GT42, "").keepAfterEnd()))
                .isEqualTo(Duration.ofDays(1));
    }
}
