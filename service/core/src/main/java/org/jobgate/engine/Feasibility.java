// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobType;
import org.jobgate.job.Resource;
import org.jobgate.job.Resources;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmCapabilities.Queue;

/**
 * Whether an LRM could ever run a job, by what the LRM itself said of its queues a short while ago. It refuses only on positive
 * evidence: what the LRM did not say, or said too long ago, refuses nobody; such a job goes to the LRM, which decides.
 */
final class Feasibility {

    /** Names of one queue; more than that (lists, patterns, queues at a host) only the LRM can read. */
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

    private static final int MAX_NAMES_SHOWN = 20;

    private final String lrm;
    private final LrmCapabilities known;

    private Feasibility(String lrm, LrmCapabilities known) {
        this.lrm = lrm;
        this.known = known;
    }

    /**
     * Refuses what the LRM is known to be unable to run.
     *
     * @throws FaultException that names the part, its value and the limit
     */
    static void check(String lrm, LrmCapabilities known, JobDescription job, Instant now) {
        Feasibility feasibility = new Feasibility(lrm, known);
        feasibility.checkResources(job); // what an adapter can is no matter of the moment
        if (known.isFresh(now)) {
            feasibility.check(job);
        }
    }

    private void check(JobDescription job) {
        checkJobType(job.jobType());
        if (known.queues().isEmpty() || known.queues().stream().anyMatch(Queue::isWhole)) {
            return; // no queues that a job could name, and nothing that one job could ask too much of
        }
        queueOf(job).ifPresent(queue -> {
            checkWallTime(queue, job);
            checkProcessors(queue, job);
        });
    }

    private void checkResources(JobDescription job) {
        Set<Resource> can = known.resources();
        Resources resources = job.resources();
        if (can == null || resources == null) {
            return;
        }
        resources.asked().forEach((resource, value) -> {
            if (!can.contains(resource)) {
                throw new FaultException(Fault.of(
                                FaultCode.UNSUPPORTED_FEATURE,
                                "The LRM " + lrm + " cannot give jobs the resource " + resource.word()
                                        + "; the job asks for " + value + ".",
                                "Leave it out, or use another LRM.")
                        .about(resource.word(), value));
            }
        });
    }

    private void checkJobType(JobType type) {
        if (!known.jobTypes().isEmpty() && !known.jobTypes().contains(type)) {
            String word = type.name().toLowerCase(Locale.ROOT);
            throw refusal(
                    FaultCode.UNSUPPORTED_FEATURE,
                    DescriptionPart.JOB_TYPE,
                    word,
                    "The LRM " + lrm + " runs no jobs of the type " + word + "; it runs "
                            + known.jobTypes().stream()
                                    .map(known -> known.name().toLowerCase(Locale.ROOT))
                                    .sorted()
                                    .collect(Collectors.joining(", "))
                            + ".",
                    "Ask for another type of job, or use another LRM.");
        }
    }

    /** The queue that the job would come to, if that is certain. */
    private Optional<Queue> queueOf(JobDescription job) {
        String name = job.queue();
        if (name == null) {
            return known.defaultQueue();
        }
        Optional<Queue> found = known.queues().stream()
                .filter(queue -> queue.name().equals(name))
                .findFirst();
        if (found.isEmpty() && PLAIN_NAME.matcher(name).matches()) {
            throw refusal(
                    FaultCode.INVALID_DESCRIPTION,
                    DescriptionPart.QUEUE,
                    name,
                    "The LRM " + lrm + " has no queue '" + name + "'; it has " + names() + ".",
                    "Name one of them, or leave the queue out.");
        }
        return found;
    }

    private String names() {
        String shown =
                known.queues().stream().map(Queue::name).limit(MAX_NAMES_SHOWN).collect(Collectors.joining(", "));
        int more = known.queues().size() - MAX_NAMES_SHOWN;
        return more > 0 ? shown + " and " + more + " more" : shown;
    }

    private void checkWallTime(Queue queue, JobDescription job) {
        Duration asked = job.maxWallTime() != null ? job.maxWallTime() : job.maxTime();
        Duration most = queue.maxWallTime();
        if (asked != null && most != null && asked.compareTo(most) > 0) {
            throw refusal(
                    FaultCode.LIMIT_EXCEEDED,
                    job.maxWallTime() != null ? DescriptionPart.MAX_WALL_TIME : DescriptionPart.MAX_TIME,
                    minutes(asked),
                    "The job asks for " + minutes(asked) + " minutes of wall time; the queue " + queue.name()
                            + " of the LRM " + lrm + " gives at most " + minutes(most) + ".",
                    "Ask for less, or name a queue that gives more.");
        }
    }

    /** As job descriptions count, rounded up. */
    private static String minutes(Duration time) {
        return Long.toString(time.plusSeconds(59).toMinutes());
    }

    private void checkProcessors(Queue queue, JobDescription job) {
        // the processes of a multiple job need not run at once, unless the LRM says how many of them one job may have
        boolean isParallel = job.jobType() == JobType.MPI;
        if (!isParallel && job.jobType() != JobType.MULTIPLE) {
            return;
        }
        Long most = isParallel && queue.maxProcessors() == null ? queue.processors() : queue.maxProcessors();
        if (most != null && most > 0 && job.count() > most) {
            throw refusal(
                    FaultCode.LIMIT_EXCEEDED,
                    DescriptionPart.COUNT,
                    Integer.toString(job.count()),
                    "The job asks for " + job.count() + " processes at once; the queue " + queue.name() + " of the LRM "
                            + lrm + " has " + most + " processors for one job.",
                    "Ask for fewer, or name a queue that has more.");
        }
    }

    private static FaultException refusal(
            FaultCode code, DescriptionPart part, String value, String sentence, String remedy) {
        return new FaultException(Fault.of(code, sentence, remedy).about(part, value));
    }
}
