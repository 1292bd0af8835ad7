// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.job.After;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.NearestName;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.ShortText;
import org.jobgate.job.SubJob;
import org.jspecify.annotations.Nullable;

/** Checks multi-jobs whose jobs wait for one another, and jobs that only move files, before they are stored. */
final class FlowRules {

    private static final int MOST_SHOWN = 20;

    private final List<SubJob> jobs;
    private final Map<String, Integer> places = new LinkedHashMap<>();

    private FlowRules(List<SubJob> jobs) {
        this.jobs = jobs;
    }

    /** Whether jobs of the multi-job wait for others of it. */
    static boolean isFlow(JobDescription multi) {
        return multi.subJobs().stream().anyMatch(sub -> !sub.after().isEmpty());
    }

    /**
     * Refuses a multi-job whose jobs do not agree where to be held, or wait for what is not there or in a circle.
     *
     * @throws FaultException of code {@code INVALID_DESCRIPTION}
     */
    static void check(JobDescription multi) {
        FlowRules rules = new FlowRules(multi.subJobs());
        rules.checkNames();
        if (!isFlow(multi)) {
            multi.subJobs().forEach(sub -> checkHold(multi, sub.description()));
            return;
        }
        if (multi.holdAt() != null) {
            throw wrong("A flow cannot be held as a whole.", "Hold those of its jobs that are to wait for you.");
        }
        rules.checkLoops();
    }

    /**
     * Whether the job only moves files.
     *
     * @throws FaultException of code {@code INVALID_DESCRIPTION} where it does and its description asks for more, or is for an LRM
     */
    static boolean isOnlyTransfers(String lrm, JobDescription description) {
        boolean isOne = OnlyTransfers.is(description);
        if (isOne != lrm.equals(OnlyTransfers.LRM)) {
            throw new FaultException(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            isOne
                                    ? "A job without an executable only moves files, and cannot be given to the LRM "
                                            + ShortText.of(lrm, 64) + "."
                                    : "The job has an executable, and " + OnlyTransfers.LRM + " runs none.",
                            "Name an executable and an LRM, or neither.")
                    .about(DescriptionPart.LRM, ShortText.of(lrm, 64)));
        }
        OnlyTransfers.needsProgram(description).ifPresent(part -> {
            throw new FaultException(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            "The job has no executable, so it only moves files: it can have no "
                                    + part.getKey().title() + ".",
                            "Name the executable, or leave out all but the files to fetch and to delete.")
                    .about(part.getKey(), ShortText.of(part.getValue(), 64)));
        });
        if (isOne) {
            checkReached(description.holdAt());
            checkReached(description.holdAgain());
        }
        return isOne;
    }

    private static void checkReached(@Nullable JobState hold) {
        if (hold != null && !OnlyTransfers.reaches(hold)) {
            throw new FaultException(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            "The job has no executable, so it only moves files and never comes to " + hold
                                    + ", where it is to be held.",
                            "Let it be held at " + JobState.STAGE_IN + " or " + JobState.CLEAN_UP + ".")
                    .about(DescriptionPart.HOLD, hold.toString()));
        }
    }

    private static void checkHold(JobDescription multi, JobDescription sub) {
        if (multi.holdAt() != sub.holdAt()) {
            throw new FaultException(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            "The sub jobs of the multi-job do not agree where to be held: " + multi.holdAt() + " and "
                                    + sub.holdAt() + ".",
                            "Let all of them be held at the same state, or none.")
                    .about(DescriptionPart.HOLD, String.valueOf(sub.holdAt())));
        }
    }

    private void checkNames() {
        for (int place = 0; place < jobs.size(); place++) {
            String name = jobs.get(place).name();
            if (name != null && places.put(name, place) != null) {
                throw wrong("Two jobs of the flow have the name " + name + ".", "Give each another name.");
            }
        }
        for (SubJob job : jobs) {
            Set<String> seen = new LinkedHashSet<>();
            for (After after : job.after()) {
                if (isUnknown(after)) {
                    throw wrong(
                            "A job of the flow waits for " + after.job() + ", and no job of the flow has that name.",
                            NearestName.to(after.job(), places.keySet())
                                    .map(nearest -> "Did you mean " + nearest + "?")
                                    .orElse("Name one of: " + shown(List.copyOf(places.keySet()), ", ") + "."));
                }
                if (!seen.add(after.job())) {
                    throw wrong(
                            "A job of the flow waits for " + after.job() + " twice.",
                            "Say once how that is to end: ok, failed or any.");
                }
            }
        }
    }

    /** Takes away, again and again, a job that waits for none that is left; what is left in the end has a circle. */
    private void checkLoops() {
        int[] open = new int[jobs.size()];
        List<List<Integer>> waiting = new ArrayList<>();
        jobs.forEach(job -> waiting.add(new ArrayList<>()));
        List<Integer> free = new ArrayList<>();
        for (int place = 0; place < open.length; place++) {
            List<After> within = within(place);
            open[place] = within.size();
            for (After after : within) {
                waiting.get(place(after)).add(place);
            }
            if (open[place] == 0) {
                free.add(place);
            }
        }
        for (int next = 0; next < free.size(); next++) {
            for (int other : waiting.get(free.get(next))) {
                open[other]--;
                if (open[other] == 0) {
                    free.add(other);
                }
            }
        }
        if (free.size() < open.length) {
            throw wrong(
                    "The jobs of the flow wait for one another in a circle: " + shown(circle(open), " waits for ")
                            + ".",
                    "Let one of them wait for none of the others.");
        }
    }

    /** What is no name of a job of the flow may be the id of an earlier job, which {@link EarlierJobs} looks for. */
    private boolean isUnknown(After after) {
        return !places.containsKey(after.job()) && after.earlier().isEmpty();
    }

    /** The jobs of the flow that the one at the place waits for: an earlier job waits for none of them. */
    private List<After> within(int place) {
        return jobs.get(place).after().stream()
                .filter(after -> places.containsKey(after.job()))
                .toList();
    }

    private int place(After after) {
        Integer place = places.get(after.job());
        if (place == null) {
            throw new IllegalStateException("no job has the name " + after.job());
        }
        return place;
    }

    /** From any job that is left, along jobs that are left, until one comes again. */
    private List<String> circle(int[] open) {
        int place = 0;
        while (open[place] == 0) {
            place++;
        }
        Set<Integer> way = new LinkedHashSet<>();
        while (way.add(place)) {
            place = within(place).stream()
                    .mapToInt(this::place)
                    .filter(other -> open[other] > 0)
                    .findFirst()
                    .orElseThrow();
        }
        int first = place;
        List<String> names = new ArrayList<>();
        way.stream().dropWhile(one -> one != first).forEach(one -> names.add(name(one)));
        names.add(name(first));
        return names;
    }

    private String name(int place) {
        String name = jobs.get(place).name();
        return name == null ? "job " + place : name;
    }

    private static String shown(List<String> names, String between) {
        return names.size() <= MOST_SHOWN
                ? String.join(between, names)
                : String.join(between, names.subList(0, MOST_SHOWN)) + between + "... (" + names.size() + " in all)";
    }

    private static FaultException wrong(String sentence, String remedy) {
        return new FaultException(
                Fault.of(FaultCode.INVALID_DESCRIPTION, sentence, remedy).about("after", null));
    }
}
