// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobId;
import org.jobgate.lrm.LrmEvent;
import org.jspecify.annotations.Nullable;

/**
 * Which of our jobs the lines of a scheduler event generator are about: by the LRM's id and the time. An LRM may use an id again, so
 * a line from before a job was made is not about it. A line may come before the answer to the submission: it is kept for a while. A
 * job of several ids is over when all of them are.
 *
 * <p>The ids come from the accounts. Where jobs of two accounts have the same one, a line of it is about neither: what it means is asked of
 * each account ({@link #toAsk}).
 *
 * <p>It knows the live jobs of one LRM, about 300 bytes each. Not for several threads at once.
 */
final class SegJobs {

    /** By how much the clocks of the LRM and the gateway may differ. */
    static final Duration CLOCK_SLACK = Duration.ofMinutes(5);

    /** How long a line without a job is kept, and how many are. */
    static final Duration EARLY = Duration.ofMinutes(5);

    static final int MAX_EARLY = 10_000;

    private static final String FAILED_SENTENCE =
            "The LRM's event generator told that the job failed, with exit code %d, and not why.";
    private static final String FAILED_REMEDY = "Look for the job in the LRM's own records.";

    /** A job and the last lines of those of its ids that are over. */
    private record Known(String account, JobId tag, List<String> ids, Map<String, SegLine> over) {}

    /** A job that a line may be about. */
    record Claim(String account, JobId tag) {}

    /** A line that is about no job that is known, and when it came. */
    private record Early(SegLine line, Instant came) {}

    private final Clock clock;
    private final Predicate<JobId> isBeingCancelled;
    private final Map<String, List<Known>> byId = new HashMap<>();
    private final Set<Claim> toAsk = new LinkedHashSet<>();
    private final Deque<Early> early = new ArrayDeque<>();

    /** @param isBeingCancelled whether somebody has asked for the job's end */
    SegJobs(Clock clock, Predicate<JobId> isBeingCancelled) {
        this.clock = requireNonNull(clock, "clock is null");
        this.isBeingCancelled = requireNonNull(isBeingCancelled, "isBeingCancelled is null");
    }

    /** Records that the LRM has the job under these ids, as its account says; answers the events that came before that. */
    List<LrmEvent> put(String account, JobId tag, List<String> ids) {
        Known known = new Known(account, tag, List.copyOf(ids), new HashMap<>());
        boolean isNew = false;
        for (String id : known.ids) {
            List<Known> claims = byId.getOrDefault(id, List.of());
            if (claims.stream().noneMatch(claim -> claim.tag.equals(tag))) {
                // of one account the new job has it: the LRM uses ids again
                byId.put(
                        id,
                        Stream.concat(claims.stream().filter(claim -> !claim.account.equals(account)), Stream.of(known))
                                .toList());
                isNew = true;
            }
        }
        return isNew ? toldEarly(ids) : List.of();
    }

    /** The jobs of which lines came that may be about another's job too, since this was last asked. */
    List<Claim> toAsk() {
        List<Claim> all = List.copyOf(toAsk);
        toAsk.clear();
        return all;
    }

    /** The job is known to be over. */
    void drop(JobId tag) {
        byId.values().removeIf(claims -> claims.stream().allMatch(claim -> claim.tag.equals(tag)));
        byId.replaceAll((id, claims) ->
                claims.stream().filter(claim -> !claim.tag.equals(tag)).toList());
    }

    private List<LrmEvent> toldEarly(List<String> ids) {
        List<SegLine> lines = early.stream()
                .map(Early::line)
                .filter(line -> ids.contains(line.localId()))
                .toList();
        early.removeIf(kept -> ids.contains(kept.line.localId()));
        List<LrmEvent> events = new ArrayList<>();
        lines.forEach(line -> take(line).ifPresent(events::add));
        return events;
    }

    /** What the line says of one of our jobs, if it is about one. */
    Optional<LrmEvent> take(SegLine line) {
        List<Known> claims = byId.getOrDefault(line.localId(), List.of());
        if (claims.isEmpty()) {
            keep(line);
            return Optional.empty();
        }
        if (claims.size() > 1) {
            claims.forEach(claim -> toAsk.add(new Claim(claim.account, claim.tag)));
            return Optional.empty();
        }
        Known known = claims.getFirst();
        if (line.at().isBefore(createdAt(known.tag).minus(CLOCK_SLACK))) {
            return Optional.empty(); // of another job that had the id before
        }
        return line.isOver() ? over(known, line) : Optional.of(event(known, kind(line), line.at(), null));
    }

    private void keep(SegLine line) {
        Instant now = clock.instant();
        early.removeIf(kept -> kept.came.plus(EARLY).isBefore(now));
        if (early.size() >= MAX_EARLY) {
            early.removeFirst();
        }
        early.addLast(new Early(line, now));
    }

    private static LrmEvent.Kind kind(SegLine line) {
        return switch (line.state()) {
            case SegLine.ACTIVE -> LrmEvent.Kind.STARTED;
            case SegLine.SUSPENDED -> LrmEvent.Kind.SUSPENDED;
            default -> LrmEvent.Kind.QUEUED;
        };
    }

    private Optional<LrmEvent> over(Known known, SegLine line) {
        known.over.put(line.localId(), line);
        if (known.over.size() < known.ids.size()) {
            return Optional.empty();
        }
        known.ids.forEach(id -> byId.remove(id, List.of(known)));
        SegLine worst = known.ids.stream()
                .map(id -> requireNonNull(known.over.get(id)))
                .min(Comparator.comparing(SegJobs::rank))
                .orElse(line);
        return Optional.of(event(known, LrmEvent.Kind.ENDED, line.at(), end(known.tag, worst)));
    }

    /** What decides how a job of several ids ended: a failure, then an exit code, then that all is well. */
    private static int rank(SegLine line) {
        if (line.state() == SegLine.FAILED) {
            return 0;
        }
        return line.exitCode() != 0 ? 1 : 2;
    }

    private LrmEvent.End end(JobId tag, SegLine line) {
        if (line.state() == SegLine.DONE) {
            return new LrmEvent.End(LrmEvent.Cause.EXITED, line.exitCode(), null, null, null, null);
        }
        if (isBeingCancelled.test(tag)) {
            return new LrmEvent.End(LrmEvent.Cause.CANCELLED, null, null, null, null, null);
        }
        Fault fault = Fault.of(FaultCode.LOST, FAILED_SENTENCE.formatted(line.exitCode()), FAILED_REMEDY);
        return new LrmEvent.End(LrmEvent.Cause.LOST, null, null, null, fault, null);
    }

    private static LrmEvent event(Known known, LrmEvent.Kind kind, Instant at, LrmEvent.@Nullable End end) {
        return new LrmEvent(known.tag, known.ids, kind, at, end);
    }

    /** The milliseconds in a UUID of version 7. */
    private static Instant createdAt(JobId tag) {
        return Instant.ofEpochMilli(tag.value().getMostSignificantBits() >>> 16);
    }

    /** The time of the oldest line that may still be about a job; empty if all have been reported. */
    Optional<Instant> oldestUntold() {
        Instant now = clock.instant();
        early.removeIf(kept -> kept.came.plus(EARLY).isBefore(now));
        return early.stream().map(kept -> kept.line.at()).min(Comparator.naturalOrder());
    }

    /** How many ids are known. */
    int size() {
        return byId.size();
    }
}
