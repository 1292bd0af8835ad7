// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jobgate.job.JobState;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of an LRM of the lab that is reached by the unmodified scripts of HTCondor's blahp. It takes minutes: {@link BlahScriptsIT} is
 * the part that is always run.
 */
abstract class BlahContract extends LrmContract {

    @TempDir
    static Path directory;

    @BeforeAll
    static void needScripts() throws IOException {
        BlahLab.needTime();
        BlahLab.need();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** The scripts would break off a job that runs. */
    @Override
    Set<JobState> canSuspend() {
        return Set.of(JobState.PENDING);
    }
}
