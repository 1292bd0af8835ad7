// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;

/** What the protocol adds to what the JDL says of a job. */
final class JobAdditions {

    /** The variable by which a job finds its own id, as CREAM's wrapper has it. */
    private static final String JOB_NAME = "CREAM_JOBID";

    /** The variable by which a job finds the host of its computing element. */
    private static final String HOST = "GLITE_WMS_LOG_DESTINATION";

    private JobAdditions() {}

    /**
     * By which names a job finds itself and its computing element in its environment, as CREAM's wrapper has them.
     *
     * @param name the whole id of the job
     */
    static List<EnvironmentVariable> names(String name) {
        List<EnvironmentVariable> names = new ArrayList<>(List.of(new EnvironmentVariable(JOB_NAME, name)));
        String host = URI.create(name).getHost();
        if (host != null) {
            names.add(new EnvironmentVariable(HOST, host));
        }
        return names;
    }

    /** Those that a job was given that is there: a request for it that comes again is the same one, whatever names new jobs get. */
    static List<EnvironmentVariable> namesIn(List<EnvironmentVariable> environment) {
        return environment.stream()
                .filter(variable ->
                        variable.name().equals(JOB_NAME) || variable.name().equals(HOST))
                .toList();
    }

    /** What the protocol adds to the JDL: who it acts for, when it starts, and that its directory stays until the job is purged. */
    static JobDescription completed(JobDescription description, CreamJob kept, List<EnvironmentVariable> names) {
        JobDescription.Builder job = description.toBuilder();
        TransferList files = description.transfers();
        String work = Sandboxes.places(kept.directory()).workUrl();
        List<Transfer> stageIn = files.stageIn().stream()
                .filter(copy -> !copy.destination().equals(work))
                .toList();
        List<String> cleanUp =
                files.cleanUp().stream().filter(file -> !file.equals(work)).toList();
        job.transfers(new TransferList(
                stageIn,
                files.stageOut(),
                cleanUp,
                files.stageInOptions(),
                files.stageOutOptions(),
                files.cleanUpOptions()));
        if (!kept.startsAlone()) {
            job.holdAt(JobState.STAGE_IN);
        }
        if (kept.delegation() != null) {
            job.credentials(List.of(
                    NamedCredential.of(CredentialUse.JOB, kept.delegation()),
                    NamedCredential.of(CredentialUse.FILES, kept.delegation())));
        }
        List<EnvironmentVariable> environment = new ArrayList<>(description.environment());
        for (EnvironmentVariable own : names) {
            if (environment.stream().noneMatch(variable -> variable.name().equals(own.name()))) {
                environment.add(own);
            }
        }
        return job.environment(environment).build();
    }
}
