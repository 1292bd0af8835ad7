// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jobgate.access.Caller;
import org.jobgate.access.JobPermit;
import org.jobgate.access.Jobs;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobGroup;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.jobs.Submission;
import tools.jackson.databind.node.ObjectNode;

/** Refusals of submissions. One whose key was used before says in what it differs from the request that the key was used for. */
final class KeyReuse {

    static final String KEY = "Idempotency-Key";
    private static final String ARRAY = "array";

    private final Jobs jobs;

    KeyReuse(Jobs jobs) {
        this.jobs = requireNonNull(jobs, "jobs is null");
    }

    /** The refusal of a submission. */
    Problem problem(Caller caller, Submission submission, Fault fault) {
        String key = submission.clientId();
        return told(
                fault,
                () -> Optional.ofNullable(key)
                        .flatMap(id -> jobs.findByClientId(caller, JobForm.DOOR, id))
                        .map(job -> reused(caller, submission, job)));
    }

    /** The refusal with what differs, where that is known and the caller may look at it. */
    private static Problem told(Fault fault, Supplier<Optional<Problem>> difference) {
        if (fault.code() != FaultCode.KEY_REUSED) {
            return FaultProblems.of(fault);
        }
        try {
            return difference.get().orElseGet(() -> FaultProblems.of(fault));
        } catch (FaultException e) {
            if (FaultProblems.isOfPolicy(e.fault())) {
                return FaultProblems.of(fault);
            }
            throw e;
        }
    }

    /** The refusal of an array. */
    Problem problem(Caller caller, GroupSubmission submission, Fault fault) {
        String key = submission.clientId();
        return told(
                fault,
                () -> Optional.ofNullable(key)
                        .flatMap(id -> jobs.groups().findByClientId(caller, JobForm.DOOR, id))
                        .map(array -> reused(caller, submission, array)));
    }

    /**
     * Refuses a job whose key made an array before. A job and an array that come at the same moment with one key are both made: the store
     * keeps their keys apart.
     *
     * @throws Problem of status 409
     */
    void checkNoArray(JobPermit permit, Submission submission) throws Problem {
        String key = submission.clientId();
        Optional<JobGroup> array =
                key == null ? Optional.empty() : jobs.groups().findByClientId(permit, JobForm.DOOR, key);
        if (array.isPresent()) {
            String made = "the array " + array.get().id() + ", and this asks for a job";
            throw reused(array.get().created(), made, List.of(ARRAY))
                    .with(ARRAY, array.get().id().toString());
        }
    }

    /**
     * Refuses an array whose key made a job before. A key that names an array, too, was the array's first.
     *
     * @throws Problem of status 409
     */
    void checkNoJob(JobPermit permit, GroupSubmission submission) throws Problem {
        String key = submission.clientId();
        if (key == null
                || jobs.groups().findByClientId(permit, JobForm.DOOR, key).isPresent()) {
            return;
        }
        Optional<Job> job = jobs.findByClientId(permit, JobForm.DOOR, key);
        if (job.isPresent()) {
            String made = "the job " + job.get().id() + ", and this asks for an array";
            throw reused(job.get().created(), made, List.of(ARRAY))
                    .with("job", job.get().id().toString());
        }
    }

    private static Problem reused(Instant before, String made, List<String> differences) {
        return new Problem(
                        409,
                        FaultCode.KEY_REUSED.name(),
                        "The key was used before, at " + before + ", for another request: it made " + made + ".",
                        "Use a new key for a new request; the same key only to repeat the same request.")
                .with("attribute", KEY)
                .with("differences", differences);
    }

    private Problem reused(Caller caller, GroupSubmission submission, JobGroup array) {
        List<String> differences = new ArrayList<>();
        jobs.groups().template(caller, array.id()).ifPresent(before -> {
            GroupTemplate now = submission.template();
            boolean isOfValues = !before.values().isEmpty() && !now.values().isEmpty();
            if (!isOfValues && !before.indexes().equals(now.indexes())) {
                differences.add("indices");
            }
            if (!before.values().equals(now.values())) {
                differences.add("values");
            }
            differences(before.description(), now.description()).forEach(name -> differences.add("job." + name));
        });
        if (!array.lrm().equals(submission.lrm())) {
            differences.add("job.lrm");
        }
        if (!array.owner().account().equals(submission.owner().account())) {
            differences.add("job.account");
        }
        String made = "the array " + array.id() + ", which differs in " + String.join(", ", differences);
        return reused(array.created(), made, differences).with(ARRAY, array.id().toString());
    }

    private Problem reused(Caller caller, Submission submission, Job job) {
        List<String> differences = new ArrayList<>();
        if (!job.lrm().equals(submission.lrm())) {
            differences.add("lrm");
        }
        if (!job.owner().account().equals(submission.owner().account())) {
            differences.add("account");
        }
        jobs.description(caller, job.id())
                .ifPresent(description -> differences.addAll(differences(description, submission.description())));
        String made = "the job " + job.id() + ", which differs in " + String.join(", ", differences);
        return reused(job.created(), made, differences).with("job", job.id().toString());
    }

    private static List<String> differences(JobDescription before, JobDescription now) {
        ObjectNode one = DescriptionView.of(before.withoutCredentials());
        ObjectNode other = DescriptionView.of(now.withoutCredentials());
        TreeSet<String> names = new TreeSet<>(one.propertyNames());
        names.addAll(other.propertyNames());
        return names.stream()
                .filter(name -> !Objects.equals(one.get(name), other.get(name)))
                .toList();
    }
}
