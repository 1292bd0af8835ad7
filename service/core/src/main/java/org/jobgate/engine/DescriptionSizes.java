// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.TransferList;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;

/** Holds the description of one job, that is no multi-job, against the limits of the site. */
final class DescriptionSizes {

    private static final Fault NO_STAGING = Fault.of(
            FaultCode.UNSUPPORTED_FEATURE,
            "The job asks for files to be staged, and this service has no file transfer.",
            "Leave the files out, or use a service with file transfer.");

    private final JobLimits limits;
    private final JobFiles files;

    DescriptionSizes(JobLimits limits, JobFiles files) {
        this.limits = requireNonNull(limits, "limits is null");
        this.files = requireNonNull(files, "files is null");
    }

    /**
     * Refuses a description that is larger than the limits, or that has files where none can be moved.
     *
     * @throws FaultException of the limit by its name, or of code {@code UNSUPPORTED_FEATURE}
     */
    void check(JobDescription description) {
        if (!description.transfers().isEmpty() && !files.canStage()) {
            throw new FaultException(NO_STAGING.about(stagingPart(description.transfers()), null));
        }
        limits.arguments().check(description.arguments().size(), "arguments of the job", DescriptionPart.ARGUMENT);
        limits.environment()
                .check(
                        description.environment().size(),
                        "environment variables of the job",
                        DescriptionPart.ENVIRONMENT);
        limits.count().check(description.count(), "processes of the job (count)", DescriptionPart.COUNT);
        long total = checkText(DescriptionPart.EXECUTABLE, description.executable())
                + checkText(DescriptionPart.DIRECTORY, description.directory())
                + checkText(DescriptionPart.STDIN, description.stdin())
                + checkText(DescriptionPart.STDOUT, description.stdout())
                + checkText(DescriptionPart.STDERR, description.stderr());
        for (String argument : description.arguments()) {
            total += checkText(DescriptionPart.ARGUMENT, argument);
        }
        for (EnvironmentVariable variable : description.environment()) {
            total += checkText(DescriptionPart.ENVIRONMENT, variable.name())
                    + checkText(DescriptionPart.ENVIRONMENT, variable.value());
        }
        limits.descriptionBytes().check(total, "bytes of the job description");
    }

    private static DescriptionPart stagingPart(TransferList transfers) {
        if (!transfers.stageIn().isEmpty()) {
            return DescriptionPart.STAGE_IN;
        }
        return transfers.stageOut().isEmpty() ? DescriptionPart.CLEAN_UP : DescriptionPart.STAGE_OUT;
    }

    private long checkText(DescriptionPart part, @Nullable String text) {
        if (text == null) {
            return 0;
        }
        Limit limit = limits.textBytes();
        int bytes = text.length() * 3L <= limit.value() ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
        limit.check(bytes, "UTF-8 bytes of one " + part.title() + " of the job", part);
        return bytes;
    }
}
