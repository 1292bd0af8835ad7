// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.jobs.FilePassword;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.store.DoorRecord;

/** Credentials are written for jobs that run in an LRM with a place for them. Jobs of another gateway have their processes there. */
final class PlacedCredentials implements JobCredentials {

    private final JobCredentials placed;
    private final Set<String> lrms;

    /** @param lrms those that have a place for files of jobs */
    PlacedCredentials(JobCredentials placed, Set<String> lrms) {
        this.placed = requireNonNull(placed, "placed is null");
        this.lrms = Set.copyOf(lrms);
    }

    @Override
    public boolean areWantedBy(JobDescription description) {
        return placed.areWantedBy(description);
    }

    @Override
    public Optional<Fault> refusal(Owner owner, JobDescription description) {
        return placed.refusal(owner, description);
    }

    @Override
    public DoorRecord sealed(JobId job, Owner owner, List<FilePassword> passwords) {
        return placed.sealed(job, owner, passwords);
    }

    @Override
    public Placement place(Job job, JobDescription description) {
        return lrms.contains(job.lrm())
                ? placed.place(job, description)
                : new Placement.Placed(Map.of(), Optional.empty());
    }

    @Override
    public void remove(Job job) {
        placed.remove(job);
    }

    @Override
    public Optional<String> path(JobId job) {
        return placed.path(job);
    }

    @Override
    public void destroyAfter(Job job, JobDescription description) {
        placed.destroyAfter(job, description);
    }

    @Override
    public void onNews(BiConsumer<JobId, String> listener) {
        placed.onNews(listener);
    }

    @Override
    public void onChange(Consumer<JobId> listener) {
        placed.onChange(listener);
    }
}
