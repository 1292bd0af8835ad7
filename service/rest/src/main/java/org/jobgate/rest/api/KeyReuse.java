// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.jobs.Submission;
import tools.jackson.databind.node.ObjectNode;

/** Refusals of submissions. One whose key was used before says in what it differs from the request that the key was used for. */
final class KeyReuse {

    static final String KEY = "Idempotency-Key";

    private final Jobs jobs;

    KeyReuse(Jobs jobs) {
        this.jobs = requireNonNull(jobs, "jobs is null");
    }

    /** The refusal of a submission. */
    Problem problem(Caller caller, Submission submission, Fault fault) {
        String key = submission.clientId();
        Optional<Job> before = fault.code() == FaultCode.KEY_REUSED && key != null
                ? jobs.findByClientId(caller, JobForm.DOOR, key)
                : Optional.empty();
        return before.map(job -> reused(caller, submission, job)).orElseGet(() -> FaultProblems.of(fault));
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
        return new Problem(
                        409,
                        FaultCode.KEY_REUSED.name(),
                        "The key was used before, at " + job.created() + ", for another request: it made the job "
                                + job.id() + ", which differs in " + String.join(", ", differences) + ".",
                        "Use a new key for a new job; the same key only to repeat the same request.")
                .with("attribute", KEY)
                .with("job", job.id().toString())
                .with("differences", differences);
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
