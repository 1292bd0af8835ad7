// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lifecycle;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;

/** Moves no files; remembers what it was asked for, and can be told to fail. */
final class RecordingStager implements FileStager {

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile boolean failing;
    private volatile boolean failingCleanUp;

    List<String> calls() {
        return calls;
    }

    void failCleanUp() {
        failingCleanUp = true;
    }

    void failStageIn() {
        failing = true;
    }

    @Override
    public Optional<Fault> stageIn(Job job, JobDescription description) {
        calls.add("stageIn");
        return failing
                ? Optional.of(Fault.of(FaultCode.STAGING_FAILED, "The source was not there, on purpose.", ""))
                : Optional.empty();
    }

    @Override
    public Optional<Fault> stageOut(Job job, JobDescription description) {
        calls.add("stageOut");
        return Optional.empty();
    }

    @Override
    public Optional<Fault> cleanUp(Job job, JobDescription description) {
        calls.add("cleanUp");
        return failingCleanUp
                ? Optional.of(
                        Fault.of(FaultCode.STAGING_FAILED, "The file is busy, on purpose.", "Remove it yourself."))
                : Optional.empty();
    }
}
