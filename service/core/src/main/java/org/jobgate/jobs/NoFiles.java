// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;

/** Where the gateway transfers no files: no job is its concern. Admission refuses jobs with files for that. */
public enum NoFiles implements FileStager {
    INSTANCE;

    private static final CompletableFuture<Optional<Fault>> DONE = CompletableFuture.completedFuture(Optional.empty());

    @Override
    public Optional<Fault> refusal(Owner owner, String lrm, JobDescription description) {
        return Optional.empty();
    }

    @Override
    public boolean concerns(JobDescription description) {
        return false;
    }

    @Override
    public JobDescription prepared(JobId id, Owner owner, JobDescription description) {
        return description;
    }

    @Override
    public CompletableFuture<Optional<Fault>> stageIn(Job job, JobDescription prepared) {
        return DONE;
    }

    @Override
    public CompletableFuture<Optional<Fault>> stageOut(Job job, JobDescription prepared, Consumer<String> news) {
        return DONE;
    }

    @Override
    public CompletableFuture<Optional<Fault>> cleanUp(Job job, JobDescription prepared) {
        return DONE;
    }

    @Override
    public void stop(JobId job) {
        // nothing moves
    }
}
