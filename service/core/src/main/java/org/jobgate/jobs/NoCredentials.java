// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;

/** Where nothing is delegated: no job gets a credential. */
public enum NoCredentials implements JobCredentials {
    INSTANCE;

    @Override
    public boolean areWantedBy(JobDescription description) {
        return false;
    }

    @Override
    public Optional<Fault> refusal(Owner owner, JobDescription description) {
        return Optional.empty();
    }

    @Override
    public Placement place(Job job, JobDescription description) {
        return new Placement.Placed(Map.of(), Optional.empty());
    }

    @Override
    public void remove(Job job) {
        // there is none
    }

    @Override
    public Optional<String> path(JobId job) {
        return Optional.empty();
    }

    @Override
    public void destroyAfter(Job job, JobDescription description) {
        // there is none
    }

    @Override
    public void onNews(BiConsumer<JobId, String> listener) {
        // there is none
    }

    @Override
    public void onChange(Consumer<JobId> listener) {
        // no job waits for a credential
    }
}
