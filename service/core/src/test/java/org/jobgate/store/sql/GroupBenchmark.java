// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.GroupIndexes.Places;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.JobStore;

/** Measures what an array of 10,000 elements costs. Arguments: the store's URL, how many arrays. */
public final class GroupBenchmark {

    private static final int SIZE = 10_000;

    private GroupBenchmark() {}

    public static void main(String[] arguments) {
        int arrays = Integer.parseInt(arguments[1]);
        StoreSettings settings = StoreSettings.of(arguments[0])
                .withCredentials(
                        System.getenv("JOBGATE_TEST_POSTGRES_USER"),
                        System.getenv("JOBGATE_TEST_POSTGRES_PASSWORD_FILE") == null
                                ? null
                                : java.nio.file.Path.of(System.getenv("JOBGATE_TEST_POSTGRES_PASSWORD_FILE")));
        try (JobStore store = JobStores.open(settings, Clock.systemUTC())) {
            List<JobGroup> groups = new ArrayList<>();
            List<Double> creates = new ArrayList<>();
            List<Double> reads = new ArrayList<>();
            List<Double> pages = new ArrayList<>();
            List<Double> cancels = new ArrayList<>();
            GroupTemplate template =
                    GroupTemplate.ofIndexes(JobDescription.of("/bin/echo", "{index}"), new GroupIndexes(0, 1, SIZE));
            for (int i = 0; i < arrays; i++) {
                JobGroup group = group(template);
                creates.add(millis(() -> store.groups().create(group, template).join()));
                groups.add(group);
            }
            for (JobGroup group : groups) {
                for (int i = 0; i < 20; i++) {
                    reads.add(millis(() -> {
                        if (store.groups().find(group.id()).isEmpty()) {
                            throw new IllegalStateException("the group is gone");
                        }
                    }));
                }
                pages.add(millis(() -> store.groups().elements(group, 0, SIZE)));
                cancels.add(millis(() -> store.groups()
                        .cancelWaiting(group.id(), new Places(0, SIZE - 1))
                        .join()));
            }
            say("create an array of " + SIZE, creates);
            say("its status", reads);
            say("all its elements", pages);
            say("cancel all its elements", cancels);
        }
    }

    private static JobGroup group(GroupTemplate template) {
        JobId id = JobId.create(Clock.systemUTC(), new Random());
        Job like = Job.create(
                id,
                new SubmissionKey(SampleJobs.ALICE, "test", id.toString()),
                new JobOrigin("test", "trial").language(),
                new Owner(SampleJobs.ALICE, "alice"),
                "Fork",
                null,
                Clock.systemUTC().instant(),
                null);
        return JobGroup.create(
                id,
                like.key(),
                like.language(),
                like.owner(),
                like.lrm(),
                template.indexes(),
                100,
                null,
                like.created());
    }

    private static double millis(Runnable work) {
        long begin = System.nanoTime();
        work.run();
        return (System.nanoTime() - begin) / 1e6;
    }

    private static void say(String what, List<Double> times) {
        Collections.sort(times);
        System.out.printf(
                "%-28s min %8.2f  median %8.2f  max %8.2f ms  (%d)%n",
                what, times.getFirst(), times.get(times.size() / 2), times.getLast(), times.size());
    }
}
