// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.jobs.FileStager;

/** Moves no files: whatever a job wants is done at once, or fails with what the test says. */
final class FilesInPlace implements FileStager {

    private volatile Optional<Fault> input = Optional.empty();

    /** What becomes of the files to fetch from now on. */
    void failInput(Fault fault) {
        input = Optional.of(fault);
    }

    @Override
    public Optional<Fault> refusal(Owner owner, JobDescription description) {
        return Optional.empty();
    }

    @Override
    public boolean concerns(JobDescription description) {
        return !description.transfers().isEmpty();
    }

    @Override
    public JobDescription prepared(JobId id, Owner owner, JobDescription description) {
        return description;
    }

    @Override
    public CompletableFuture<Optional<Fault>> stageIn(Job job, JobDescription prepared, Consumer<String> news) {
        return CompletableFuture.completedFuture(input);
    }

    @Override
    public CompletableFuture<Optional<Fault>> stageOut(Job job, JobDescription prepared, Consumer<String> news) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletableFuture<Optional<Fault>> cleanUp(Job job, JobDescription prepared) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public void stop(JobId job) {
        // nothing is on its way
    }
}
