// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import java.util.Optional;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.jobs.FilePassword;
import org.jspecify.annotations.Nullable;

/** What of the files of a job cannot be left to another gateway. All else is for that gateway to judge, which knows its protocols. */
final class FilesThere {

    private FilesThere() {}

    static Optional<Fault> refusal(JobDescription description, JobWriter writer) {
        if (FilePassword.areIn(description)) {
            return unsupported(
                    "its files are to be moved with a name and a password, which are kept sealed at this gateway only",
                    "Use a delegated credential for them, or submit the job to that gateway itself.");
        }
        if (isHeldLater(description.holdAt()) || isHeldLater(description.holdAgain())) {
            return unsupported(
                    "it is to be held before files are moved that the other gateway moves",
                    "Hold it before its files are fetched, or before it runs.");
        }
        boolean namesCredential = description.credentials().stream().anyMatch(one -> one.use() != CredentialUse.JOB);
        if (namesCredential && description.credential(CredentialUse.JOB).isEmpty()) {
            return Optional.of(Fault.of(
                            FaultCode.CREDENTIAL_UNUSABLE,
                            "The job is for another gateway and names a delegated credential for its files, and none for the job.",
                            "Name one for the job too: credentials of files can be given on only by their owner.")
                    .about(DescriptionPart.JOB_CREDENTIAL, null));
        }
        return writer.unsaidOption(description.transfers())
                .flatMap(option -> unsupported(
                        "that cannot be told the option " + option + " of its files",
                        "Leave the option out, or submit the job to that gateway itself."));
    }

    private static boolean isHeldLater(@Nullable JobState state) {
        return state == JobState.STAGE_OUT || state == JobState.CLEAN_UP;
    }

    private static Optional<Fault> unsupported(String because, String remedy) {
        return Optional.of(
                Fault.of(FaultCode.UNSUPPORTED_FEATURE, "The job is for another gateway, and " + because + ".", remedy)
                        .about(DescriptionPart.STAGE_IN, null));
    }
}
