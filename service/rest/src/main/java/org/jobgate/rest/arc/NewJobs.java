// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jobgate.access.JobPermit;
import org.jobgate.access.Jobs;
import org.jobgate.adl.Activity;
import org.jobgate.door.DoorAddresses;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Owner;
import org.jobgate.job.Reason;
import org.jobgate.jobs.JobsBySubject.BulkAnswer;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes new jobs: each with a session directory of its own, all in one transaction, and an answer for each in the order of the request. */
final class NewJobs {

    private static final Logger LOG = LoggerFactory.getLogger(NewJobs.class);

    private final Jobs jobs;
    private final Descriptions descriptions;
    private final Shares shares;
    private final SessionRecords sessions;
    private final JobDirectories directories;
    private final SessionDirectories made;
    private final KeyedJobs keys;
    private final UnaryOperator<String> homes;
    private final ArcSettings settings;
    private final Limit bodyBytes;
    private final Clock clock;
    private final StartTimes starts;
    private final RepeatedJobs repeated;

    /**
     * @param homes the home directory of an account, or what can be used like it
     * @param bodyBytes of a request that describes jobs
     */
    NewJobs(
            Jobs jobs,
            Descriptions descriptions,
            Shares shares,
            SessionRecords sessions,
            JobDirectories directories,
            UnaryOperator<String> homes,
            ArcSettings settings,
            Limit bodyBytes,
            Clock clock,
            StartTimes starts,
            CleanedJobs cleaned) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.descriptions = requireNonNull(descriptions, "descriptions is null");
        this.shares = requireNonNull(shares, "shares is null");
        this.sessions = requireNonNull(sessions, "sessions is null");
        this.directories = requireNonNull(directories, "directories is null");
        this.made = new SessionDirectories(directories);
        this.keys = new KeyedJobs(jobs);
        this.homes = requireNonNull(homes, "homes is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.bodyBytes = requireNonNull(bodyBytes, "bodyBytes is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.starts = requireNonNull(starts, "starts is null");
        this.repeated = new RepeatedJobs(keys, requireNonNull(cleaned, "cleaned is null"));
    }

    /** What the request says beside the descriptions. */
    private record Defaults(
            @Nullable String queue, @Nullable String delegation, int instances, int fewest) {}

    /**
     * One job on its way: refused, or to be submitted.
     *
     * @param place of the session directory that is to be made; absent where the job has one
     */
    private record Draft(
            @Nullable Fault fault,
            @Nullable Submission submission,
            FilePlace.@Nullable Below place,
            @Nullable Session session) {

        static Draft refused(@Nullable Fault fault) {
            return new Draft(fault, null, null, null);
        }
    }

    void answer(ArcCall call) throws IOException, ArcRefusal, FilesUnavailableException {
        JobPermit permit = call.caller().submit();
        Defaults defaults = defaults(call);
        String text = call.body(bodyBytes).text();
        List<Descriptions.Read> read;
        try {
            read = descriptions.read(text);
        } catch (FaultException e) {
            read = List.of(new Descriptions.Read("adl", null, e.fault()));
        }
        if (defaults.instances() > 1) {
            if (read.size() != 1) {
                throw new ArcRefusal(
                        403, "With instances there must be one job description.", "Send one, or leave instances out.");
            }
            read = Collections.nCopies(defaults.instances(), read.getFirst());
        }
        String account = permit.account(Optional.empty());
        List<Draft> drafts = new ArrayList<>(read.size());
        for (Descriptions.Read one : read) {
            // a repeated request finds each instance by a key of its own
            String instance = defaults.instances() > 1 ? "/" + (drafts.size() + 1) : "";
            drafts.add(draft(permit, account, one, defaults, instance));
        }
        makeDirectories(account, drafts);
        List<Element> answers = submit(permit, drafts, defaults, call);
        call.list(201, "jobs", "job", sink -> {
            for (Element answer : answers) {
                sink.put(answer);
            }
        });
    }

    private Defaults defaults(ArcCall call) throws ArcRefusal {
        int instances = number(call, "instances", 1);
        int fewest = number(call, "instances_min", instances);
        if (fewest > instances) {
            throw ArcRefusal.badRequest("instances_min is more than instances.", "");
        }
        return new Defaults(
                call.query("queue").orElse(null), call.query("delegation_id").orElse(null), instances, fewest);
    }

    private int number(ArcCall call, String name, int otherwise) throws ArcRefusal {
        Optional<String> text = call.query(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        if (!text.get().matches("[0-9]{1,6}") || Integer.parseInt(text.get()) < 1) {
            throw ArcRefusal.badRequest(name + " is '" + text.get() + "'; it must be a number from 1 on.", "");
        }
        int number = Integer.parseInt(text.get());
        if (number > settings.jobsAtOnce()) {
            throw new ArcRefusal(
                    429,
                    name + " is " + number + "; at most " + settings.jobsAtOnce() + " jobs are made by one request.",
                    "Ask in several requests.");
        }
        return number;
    }

    private Draft draft(JobPermit permit, String account, Descriptions.Read read, Defaults defaults, String instance)
            throws FilesUnavailableException {
        Activity activity = read.activity();
        if (activity == null) {
            return Draft.refused(read.fault());
        }
        try {
            return draft(permit, account, activity, read.language(), defaults, instance);
        } catch (FaultException e) {
            return Draft.refused(e.fault());
        } catch (FileRefusedException e) {
            return notMade(e);
        }
    }

    private static Draft notMade(FileRefusedException refusal) {
        return Draft.refused(Fault.of(
                FaultCode.INVALID_DESCRIPTION,
                "The session directory cannot be made: " + refusal.sentence(),
                "Ask the site's administrator."));
    }

    private void makeDirectories(String account, List<Draft> drafts) throws FilesUnavailableException {
        Map<String, FileRefusedException> refused = made.make(
                account,
                drafts.stream().map(Draft::place).filter(Objects::nonNull).toList());
        drafts.replaceAll(draft -> {
            FileRefusedException why = draft.place() == null
                    ? null
                    : refused.get(draft.place().names().getFirst());
            return why == null ? draft : notMade(why);
        });
    }

    private Draft draft(
            JobPermit permit, String account, Activity activity, String language, Defaults defaults, String instance)
            throws FileRefusedException, FilesUnavailableException {
        String subject = permit.subject();
        KeyedJobs.Key keyed =
                activity.submissionKey() == null ? null : keys.of(permit, activity.submissionKey() + instance);
        String key = keyed == null ? null : keyed.text();
        Owner owner = new Owner(subject, account);
        JobId id = jobs.newId(owner, DoorAddresses.ARC, key);
        String parent = homes.apply(account) + "/" + settings.sessions();
        String name = key == null ? id.toString() : KeyedJobs.digest(subject + "\n" + key);
        String directory = parent + "/" + name;
        JobDescription placed = activity.placed(directory);
        String wanted = Optional.ofNullable(placed.queue())
                .or(() -> Optional.ofNullable(defaults.queue()))
                .orElse("");
        Shares.Share share = share(wanted);
        JobDescription.Builder description = placed.toBuilder().queue(share.queue());
        String delegation = defaults.delegation();
        if (delegation != null && placed.credentials().isEmpty()) {
            description.credentials(List.of(NamedCredential.of(CredentialUse.FILES, delegation)));
        }
        Session session = new Session(
                account,
                directory,
                activity.name(),
                activity.uploads().stream()
                        .map(upload -> new Session.Upload(upload.name(), upload.isProgram()))
                        .toList(),
                activity.kept(),
                activity.successCode(),
                clock.instant().plus(settings.inputWait()).getEpochSecond(),
                null,
                activity.notes(),
                activity.pushesMore() ? true : null,
                activity.startBefore() == null ? null : activity.startBefore().getEpochSecond(),
                null,
                null);
        Submission submission = new Submission(
                id,
                new JobOrigin(DoorAddresses.ARC, language),
                owner,
                key,
                share.lrm(),
                description.build(),
                null,
                activity.keepFor(),
                sessions.of(id, owner, session));
        FilePlace.Below place = new FilePlace.Below(parent, List.of(name));
        // looked at before the job: what is there then is of a job that is gone, or of the one that is found next
        boolean isLeft = key != null && sessions.directory(directory).isPresent();
        if (keyed != null && keyed.isThere()) {
            return new Draft(null, submission, null, session);
        }
        if (isLeft) {
            // and is not removed yet; without such a job nothing is, for another request of this key may just have made
            // its job and put files
            directories.delete(account, place);
        }
        return new Draft(null, submission, place, session);
    }

    private Shares.Share share(String wanted) {
        if (wanted.isEmpty()) {
            String lrm = jobs.lrms().iterator().next();
            return new Shares.Share(lrm, lrm, null);
        }
        return shares.find(wanted)
                .orElseThrow(() -> new FaultException(Fault.of(
                                FaultCode.UNKNOWN_LRM,
                                "There is no queue " + wanted + " here.",
                                "The queues are: "
                                        + String.join(
                                                ", ",
                                                shares.all().stream()
                                                        .map(Shares.Share::name)
                                                        .toList())
                                        + ".")
                        .about(DescriptionPart.QUEUE, wanted)));
    }

    private List<Element> submit(JobPermit permit, List<Draft> drafts, Defaults defaults, ArcCall call)
            throws ArcRefusal {
        List<Submission> submissions = new ArrayList<>();
        for (Draft draft : drafts) {
            if (draft.submission() != null) {
                submissions.add(draft.submission());
            }
        }
        List<BulkAnswer> made;
        try {
            made = submissions.isEmpty() ? List.of() : jobs.submitAll(permit, submissions);
        } catch (RuntimeException e) {
            dropAll(call, drafts);
            throw e;
        }
        made = repeated.checked(permit, submissions, made);
        List<Element> answers = new ArrayList<>(drafts.size());
        List<JobId> taken = new ArrayList<>();
        @Nullable Fault refused = null;
        int next = 0;
        for (Draft draft : drafts) {
            Submission submission = draft.submission();
            BulkAnswer answer = submission == null ? new BulkAnswer(null, draft.fault()) : made.get(next++);
            if (answer.submitted() == null) {
                Fault fault = requireNonNull(answer.fault());
                refused = fault;
                drop(draft);
                answers.add(refusal(fault));
            } else {
                Job job = answer.submitted().job();
                taken.add(job.id());
                if (draft.session() != null) {
                    starts.watch(job, draft.session());
                }
                answers.add(JobOperations.answer(
                        201, "Created", job.id().toString(), List.of(Element.leaf("state", "ACCEPTING"))));
            }
        }
        if (defaults.instances() > 1 && taken.size() < defaults.fewest() && refused != null) {
            jobs.destroyAll(call.caller(), taken);
            throw new ArcRefusal(
                    ArcRefusal.status(refused),
                    "Only " + taken.size() + " of the " + defaults.fewest() + " instances could be made: "
                            + refused.sentence(),
                    refused.remedy());
        }
        return answers;
    }

    private static Element refusal(Fault fault) {
        return JobOperations.answer(
                ArcRefusal.status(fault), (fault.sentence() + " " + fault.remedy()).strip(), null, List.of());
    }

    /** The directories of jobs that could not be stored: of those that the store has after all, none is removed. */
    private void dropAll(ArcCall call, List<Draft> drafts) {
        try {
            List<JobId> ids = drafts.stream()
                    .map(Draft::submission)
                    .filter(java.util.Objects::nonNull)
                    .map(Submission::id)
                    .toList();
            List<JobId> there = jobs.findAll(call.caller(), ids).stream()
                    .flatMap(Optional::stream)
                    .map(Job::id)
                    .toList();
            drafts.stream()
                    .filter(draft -> draft.submission() != null
                            && !there.contains(draft.submission().id()))
                    .forEach(this::drop);
        } catch (RuntimeException e) {
            LOG.warn("Session directories of jobs that could not be stored stay, empty: {}", Reason.of(e));
        }
    }

    /** The directory of a job that was not taken. One of a key stays: another request of the same key may have it. */
    private void drop(Draft draft) {
        Submission submission = draft.submission();
        if (submission == null || draft.place() == null || submission.clientId() != null) {
            return;
        }
        try {
            directories.delete(submission.owner().account(), draft.place());
        } catch (FileRefusedException | FilesUnavailableException e) {
            LOG.info("The session directory of a job that was not taken stays: {}", Reason.of(e));
        }
    }
}
