// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.Job;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.CreateResult;
import org.jobgate.store.NewJob;
import org.jobgate.store.sql.Lookups.StoredSubmission;

/** Stores jobs whose keys are new; answers what became of each. What costs time was done before, on the caller's thread. */
record CreateWrite(List<Prepared> newJobs) implements Write<List<CreateResult>> {

    /** A new job with its description as it will be stored. */
    record Prepared(NewJob newJob, JobDescriptionCodec.Encoded description) {

        SubmissionKey key() {
            return newJob.job().key();
        }
    }

    /**
     * Checks the jobs and encodes their descriptions.
     *
     * @throws org.jobgate.job.FaultException of code {@code INVALID_DESCRIPTION}
     * @throws IllegalArgumentException where a job's key is not its owner's, or not storable
     */
    static CreateWrite prepare(List<NewJob> newJobs, JobDescriptionCodec codec) {
        return new CreateWrite(
                newJobs.stream().map(newJob -> prepare(newJob, codec)).toList());
    }

    /** The same for the one job that it has. */
    Write<CreateResult> single() {
        CreateWrite all = this;
        return new Write<>() {
            @Override
            public CreateResult apply(Batch batch) {
                return all.apply(batch).getFirst();
            }

            @Override
            public Set<SubmissionKey> keys() {
                return all.keys();
            }
        };
    }

    private static Prepared prepare(NewJob newJob, JobDescriptionCodec codec) {
        Job job = newJob.job();
        if (!job.key().subject().equals(job.owner().subject())) {
            throw new IllegalArgumentException("the key of job " + job.id() + " is not its owner's");
        }
        Values.requireStorable(job.key().subject(), "the owner's subject");
        Values.requireStorable(job.key().clientId(), "the client's own id");
        Steps.requireEnd(job);
        return new Prepared(newJob, codec.encode(newJob.description()));
    }

    @Override
    public int weight() {
        return newJobs.size();
    }

    @Override
    public Set<SubmissionKey> keys() {
        Set<SubmissionKey> keys = new LinkedHashSet<>();
        newJobs.forEach(prepared -> keys.add(prepared.key()));
        return keys;
    }

    @Override
    public List<CreateResult> apply(Batch batch) {
        return newJobs.stream().map(prepared -> create(batch, prepared)).toList();
    }

    private static CreateResult create(Batch batch, Prepared prepared) {
        Optional<StoredSubmission> known = batch.known(prepared.key());
        if (known.isPresent()) {
            return existing(batch, prepared, known.get());
        }
        return new CreateResult.Created(batch.insert(prepared.newJob(), prepared.description()));
    }

    private static CreateResult existing(Batch batch, Prepared prepared, StoredSubmission known) {
        Job job = Objects.requireNonNull(batch.current(known.job()), "a key without its job");
        Job asked = prepared.newJob().job();
        boolean same = known.digest().equals(prepared.description().digest())
                && job.lrm().equals(asked.lrm())
                && job.owner().account().equals(asked.owner().account());
        return same ? new CreateResult.Existing(job) : new CreateResult.Conflict(job);
    }
}
