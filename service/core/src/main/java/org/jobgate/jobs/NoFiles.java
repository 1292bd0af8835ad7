// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;

/**
 * Where the gateway transfers no files. Admission refuses jobs with files for that; those that were accepted when it still did fail where
 * their files would be moved, as they cannot go on without them.
 */
public enum NoFiles implements FileStager {
    INSTANCE;

    private static final CompletableFuture<Optional<Fault>> DONE = CompletableFuture.completedFuture(Optional.empty());

    private static CompletableFuture<Optional<Fault>> cannot(DescriptionPart part) {
        return CompletableFuture.completedFuture(Optional.of(Fault.of(
                        FaultCode.UNSUPPORTED_FEATURE,
                        "The job's " + part.title()
                                + " cannot be moved or deleted: this service has no file transfer any more.",
                        "Ask the site's administrator whether it is to come back, or move the files yourself.")
                .about(part, null)));
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
        return prepared.transfers().stageIn().isEmpty() ? DONE : cannot(DescriptionPart.STAGE_IN);
    }

    @Override
    public CompletableFuture<Optional<Fault>> stageOut(Job job, JobDescription prepared, Consumer<String> news) {
        return prepared.transfers().stageOut().isEmpty() ? DONE : cannot(DescriptionPart.STAGE_OUT);
    }

    @Override
    public CompletableFuture<Optional<Fault>> cleanUp(Job job, JobDescription prepared) {
        return prepared.transfers().cleanUp().isEmpty() ? DONE : cannot(DescriptionPart.CLEAN_UP);
    }

    @Override
    public void stop(JobId job) {
        // nothing moves
    }
}
