// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.access.JobPermit;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.jobs.JobsBySubject.BulkAnswer;
import org.jobgate.jobs.Submission;
import org.jspecify.annotations.Nullable;

/** Submissions that found their jobs by their keys: a job that was cleaned is there as before, unless its time was over in the meantime. */
final class RepeatedJobs {

    private final KeyedJobs keys;
    private final CleanedJobs cleaned;

    RepeatedJobs(KeyedJobs keys, CleanedJobs cleaned) {
        this.keys = requireNonNull(keys, "keys is null");
        this.cleaned = requireNonNull(cleaned, "cleaned is null");
    }

    /** The same answers, with a refusal for each job that was found by its key, and of which it cannot be said that it is there and stays. */
    List<BulkAnswer> checked(JobPermit permit, List<Submission> submissions, List<BulkAnswer> made) {
        List<JobId> found = made.stream()
                .map(BulkAnswer::submitted)
                .filter(one -> one != null && !one.isNew())
                .map(one -> one.job().id())
                .toList();
        if (found.isEmpty()) {
            return made;
        }
        Fault notWritten = null;
        try {
            cleaned.removeAll(permit.subject(), found);
        } catch (FaultException e) {
            notWritten = e.fault();
        }
        List<BulkAnswer> answers = new ArrayList<>(made.size());
        for (int i = 0; i < made.size(); i++) {
            BulkAnswer answer = made.get(i);
            String key = submissions.get(i).clientId();
            boolean isFound = answer.submitted() != null && !answer.submitted().isNew();
            // only a key finds a job
            answers.add(isFound && key != null ? checked(permit, key, answer, notWritten) : answer);
        }
        return answers;
    }

    private BulkAnswer checked(JobPermit permit, String key, BulkAnswer answer, @Nullable Fault notWritten) {
        if (notWritten != null) {
            return new BulkAnswer(null, notWritten);
        }
        try {
            keys.checkThere(permit, key);
            return answer;
        } catch (FaultException e) {
            return new BulkAnswer(null, e.fault());
        }
    }
}
