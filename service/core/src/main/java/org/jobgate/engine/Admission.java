// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.ElementKey;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.GroupVariants;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.job.Later;
import org.jobgate.job.Owner;
import org.jobgate.job.ShortText;
import org.jobgate.job.SubJob;
import org.jobgate.job.SubmissionKey;
import org.jobgate.jobs.FilePassword;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.Lrm;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.NewJob;
import org.jspecify.annotations.Nullable;

/** Decides whether a submission may become a job, before anything of it is stored. */
final class Admission {

    private static final String CLOSED_REMEDY =
            "Submit the job again later, with the same id; jobs that were accepted go on.";
    private static final Fault DRAINING = Fault.of(
                    FaultCode.SHUTTING_DOWN,
                    "The service takes no new jobs at present: its administrator drains it.",
                    CLOSED_REMEDY)
            .until(Later.inAMoment());

    private final EngineContext context;
    private final JobLimits limits;
    private final Clock clock;
    private final JobIds ids;
    private final DescriptionSizes sizes;
    private final AtomicBoolean draining = new AtomicBoolean();
    private volatile Supplier<Optional<String>> overload = Optional::empty;

    Admission(EngineContext context, JobLimits limits, Clock clock, JobIds ids) {
        this.context = context;
        this.limits = limits;
        this.clock = clock;
        this.ids = ids;
        this.sizes = new DescriptionSizes(limits, context.files());
    }

    void drain(boolean value) {
        draining.set(value);
    }

    boolean isDraining() {
        return draining.get();
    }

    /** Names who says, in a sentence, that the service has too much to do to take new jobs. */
    void heed(Supplier<Optional<String>> source) {
        overload = source;
    }

    /** Why new jobs of all users are refused at present; empty if they are taken. */
    Optional<Fault> closed() {
        return draining.get()
                ? Optional.of(DRAINING)
                : overload.get()
                        .map(why -> Fault.of(
                                        FaultCode.SHUTTING_DOWN,
                                        "The service takes no new jobs at present: " + why,
                                        CLOSED_REMEDY)
                                .until(Later.inAMoment()));
    }

    private void checkOpen() {
        closed().ifPresent(fault -> {
            throw new FaultException(fault);
        });
    }

    /**
     * The job to be stored, or the refusal thrown. Requests that come at once may together go over the limits of live jobs by as many
     * as there are requests at once.
     *
     * @param admittedBefore how many jobs the same request has brought before this one
     * @param awaitedBefore how many earlier jobs those wait for, those of each counted for itself
     */
    NewJob check(Submission submission, int admittedBefore, int awaitedBefore) {
        checkOpen();
        Instant now = clock.instant();
        checkTerminationTime(submission.terminationTime(), now);
        checkPasswords(submission.description(), arePasswords(submission.records()));
        checkWanted(submission.lrm(), submission.description());
        checkCredentials(submission.owner(), submission.description());
        checkFiles(submission.owner(), submission.lrm(), submission.description());
        context.earlier().check(submission.owner().subject(), submission.description(), limits.after(), awaitedBefore);
        checkLiveJobs(
                submission.owner().subject(),
                admittedBefore,
                1L + submission.description().subJobs().size());
        JobId id = submission.id();
        String clientId = submission.clientId() == null ? id.toString() : submission.clientId();
        JobDescription description = submission.description();
        Job job = Job.create(
                        id,
                        submission.key(clientId),
                        submission.origin().language(),
                        submission.owner(),
                        submission.lrm(),
                        description.holdAt(),
                        now,
                        submission.terminationTime())
                .withKeepAfterEnd(submission.keepAfterEnd());
        return context.files().stored(EarlierJobs.first(job, description, now), description, submission.records());
    }

    /**
     * Refuses an id that looks like one that the service gives by itself.
     *
     * @throws FaultException of code {@code INVALID_DESCRIPTION}
     */
    static void checkClientId(@Nullable String clientId) {
        if (clientId != null && (clientId.startsWith(Attempts.KEY) || clientId.startsWith(ElementKey.PREFIX))) {
            throw new FaultException(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            "The id " + abbreviate(clientId) + " begins with " + Attempts.KEY + " or "
                                    + ElementKey.PREFIX + ", as only the service's own do.",
                            "Choose another id for the submission.")
                    .about(DescriptionPart.CLIENT_ID, abbreviate(clientId)));
        }
    }

    /**
     * The group to be stored, or the refusal thrown. Its elements are checked again when they become jobs; here the first, the last, the
     * one of the longest value and the first of each variant stand for all. A repeated submission is let through whatever the load is.
     */
    JobGroup group(GroupSubmission submission) {
        GroupTemplate template = submission.template();
        String subject = submission.owner().subject();
        if (context.store().groups().find(submission.key()).isEmpty()) {
            checkOpen();
            limits.groupsPerOwner()
                    .checkRoom(
                            context.store().groups().countLive(subject) + 1,
                            "live groups of " + subject,
                            Later.Room.OWNER);
        }
        limits.groupElements().check(template.indexes().size(), "elements of the group");
        limits.groupBytes().check(template.bytes(), "UTF-8 bytes of the values of the group");
        if (submission.maxRunning() != null) {
            checkedMaxRunning(submission.maxRunning());
        }
        boolean arePasswordsKept = arePasswords(submission.records());
        for (int place : samples(template)) {
            checkElement(submission.owner(), submission.lrm(), template.element(place), arePasswordsKept);
        }
        return JobGroup.create(
                submission.id(),
                submission.key(),
                submission.origin().language(),
                submission.owner(),
                submission.lrm(),
                template.indexes(),
                submission.maxRunning() == null ? maxRunning() : submission.maxRunning(),
                submission.keepAfterEnd(),
                clock.instant().truncatedTo(ChronoUnit.MICROS));
    }

    private static Set<Integer> samples(GroupTemplate template) {
        int last = template.indexes().size() - 1;
        int longest = IntStream.rangeClosed(0, last)
                .boxed()
                .max(Comparator.comparingInt(place -> template.value(place).length()))
                .orElse(0);
        Set<Integer> samples = new TreeSet<>(List.of(0, longest, last));
        GroupVariants variants = template.variants();
        if (variants != null) {
            Set<Integer> seen = new HashSet<>();
            for (int place = 0; place <= last; place++) {
                if (seen.add(variants.elements().get(place).variant())) {
                    samples.add(place);
                }
            }
        }
        return samples;
    }

    /** A description that was taken from a job whose passwords are gone, or that was made up, has none. */
    private static void checkPasswords(JobDescription description, boolean areKept) {
        if (!areKept && FilePassword.areIn(description)) {
            throw new FaultException(Fault.of(
                    FaultCode.INVALID_DESCRIPTION,
                    "The job has files that are to be moved with a name and a password of their own, and brings none.",
                    "Send the names and passwords with the files once more; the gateway forgets them with each job."));
        }
        description.subJobs().forEach(sub -> checkPasswords(sub.description(), false));
    }

    private static boolean arePasswords(List<DoorRecord> records) {
        return records.stream().anyMatch(record -> record.kind().equals(FilePassword.KIND));
    }

    /**
     * Refuses further attempts of elements whose passwords are gone: those of a group are forgotten when it is over.
     *
     * @throws FaultException of code {@code INVALID_DESCRIPTION}
     */
    void checkPasswordsOf(JobGroup group) {
        if (!arePasswordsKept(group)) {
            context.store()
                    .groups()
                    .template(group.id())
                    .ifPresent(template ->
                            samples(template).forEach(place -> checkPasswords(template.element(place), false)));
        }
    }

    private boolean arePasswordsKept(JobGroup group) {
        return context.store()
                .findRecord(FilePassword.KIND, group.id().toString())
                .isPresent();
    }

    private void checkElement(Owner owner, String lrm, JobDescription description, boolean arePasswordsKept) {
        EarlierJobs.refuseInGroups(description);
        checkWanted(lrm, description);
        checkCredentials(owner, description);
        checkPasswords(description, arePasswordsKept);
        checkFiles(owner, lrm, description);
    }

    /** How many elements of one group may have a job that is not over. */
    int maxRunning() {
        return (int) limits.groupRunning().value();
    }

    /** The number, or the refusal thrown where it is over the limit. */
    int checkedMaxRunning(int value) {
        limits.groupRunning().check(value, "elements of the group at once");
        return value;
    }

    /** How many more live jobs the subject may have at present. */
    long room(String subject) {
        return Math.min(
                limits.liveJobs().value() - context.store().countLive(),
                limits.liveJobsPerOwner().value() - context.store().countLive(subject));
    }

    /** The job that an element of an accepted group becomes, or the refusal thrown. */
    NewJob element(JobGroup group, ElementKey key, JobDescription description) {
        // not its credentials: a job whose credential must be renewed waits, and says so in its history
        checkWanted(group.lrm(), description);
        checkPasswords(description, !FilePassword.areIn(description) || arePasswordsKept(group));
        checkFiles(group.owner(), group.lrm(), description);
        SubmissionKey elementKey = key.submissionKey(group.key());
        JobId id = ids.of(elementKey, group.owner().account());
        Job job = Job.create(
                        id,
                        elementKey,
                        group.language(),
                        group.owner(),
                        group.lrm(),
                        description.holdAt(),
                        clock.instant(),
                        null)
                .withKeepAfterEnd(group.keepAfterEnd());
        return context.files().stored(job, description, List.of());
    }

    private void checkCredentials(Owner owner, JobDescription description) {
        context.credentials().refusal(owner, description).ifPresent(fault -> {
            throw new FaultException(fault);
        });
        description.subJobs().forEach(sub -> checkCredentials(owner, sub.description()));
    }

    private void checkFiles(Owner owner, String lrm, JobDescription description) {
        if (!description.isMulti()) {
            context.files().refusal(owner, lrm, description).ifPresent(fault -> {
                throw new FaultException(fault);
            });
        }
        description.subJobs().forEach(sub -> checkFiles(owner, sub.lrm(), sub.description()));
    }

    private void checkWanted(String lrm, JobDescription description) {
        if (description.isMulti() != lrm.equals(JobsBySubject.MULTI)) {
            throw new FaultException(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            description.isMulti()
                                    ? "A multi-job cannot be given to the LRM " + abbreviate(lrm) + "."
                                    : "The job is not a multi-job, and " + JobsBySubject.MULTI + " takes no other.",
                            "Submit multi-jobs to " + JobsBySubject.MULTI + ", and other jobs to an LRM.")
                    .about(DescriptionPart.LRM, abbreviate(lrm)));
        }
        if (!description.isMulti()) {
            checkOne(lrm, description);
            return;
        }
        limits.subJobs().check(description.subJobs().size(), "sub jobs of the multi-job");
        FlowRules.check(description);
        for (SubJob sub : description.subJobs()) {
            checkOne(sub.lrm(), sub.description());
        }
    }

    private void checkOne(String lrm, JobDescription description) {
        if (!FlowRules.isOnlyTransfers(lrm, description)) {
            checkFeasible(checkLrm(lrm), description);
        }
        sizes.check(description);
    }

    static void checkTerminationTime(@Nullable Instant time, Instant now) {
        if (time != null && !time.isAfter(now)) {
            throw new FaultException(Fault.of(
                    FaultCode.INVALID_TERMINATION_TIME,
                    "The termination time " + time + " is not after the present time " + now + ".",
                    "Give a later time; if it should be later, compare the clocks."));
        }
    }

    /** Whether a new job of the subject would be taken at present. */
    boolean takesNewJobs(String subject) {
        return closed().isEmpty()
                && context.store().countLive() < limits.liveJobs().value()
                && context.store().countLive(subject)
                        < limits.liveJobsPerOwner().value();
    }

    private void checkLiveJobs(String subject, long before, long more) {
        limits.liveJobs()
                .checkRoom(context.store().countLive() + before, more, "live jobs in the service", Later.Room.SERVICE);
        limits.liveJobsPerOwner()
                .checkRoom(
                        context.store().countLive(subject) + before, more, "live jobs of " + subject, Later.Room.OWNER);
    }

    /** Nobody is refused for what the LRM said a minute ago: the administrator may have made the queue, or raised its limit, since. */
    private void checkFeasible(Lrm lrm, JobDescription description) {
        try {
            Feasibility.check(lrm.name(), lrm.capabilities(), description, clock.instant());
        } catch (FaultException perhapsNoMore) {
            Feasibility.check(lrm.name(), lrm.capabilitiesNow(), description, clock.instant());
        }
    }

    private Lrm checkLrm(String name) {
        return context.registry()
                .find(name)
                .orElseThrow(() -> new FaultException(Fault.of(
                                FaultCode.UNKNOWN_LRM,
                                "There is no LRM '" + abbreviate(name) + "' here; there are: "
                                        + String.join(", ", context.registry().names()) + ".",
                                "Name one of them, with the same capitals.")
                        .about(DescriptionPart.LRM, abbreviate(name))));
    }

    private static String abbreviate(String text) {
        return ShortText.of(text, 64);
    }
}
