// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.access.JobPermit;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobDescription;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.jobs.Submission;
import org.jspecify.annotations.Nullable;

/** Reads an array that is to be run (the schema ArrayRequest). */
final class ArrayForm {

    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})-([0-9]{1,9})(?::([0-9]{1,9}))?");
    private static final String JOB = "job";

    private final JobForm form;

    /** @param form reads what its elements have in common */
    ArrayForm(JobForm form) {
        this.form = requireNonNull(form, "form is null");
    }

    /**
     * @param key of the header, if there is one
     * @param defaults what the jobs have where the content names none
     */
    GroupSubmission read(Fields fields, JobPermit permit, @Nullable String key, JobForm.Defaults defaults)
            throws Problem {
        Submission job = form.read(fields.present(JOB), JOB, permit, key, defaults);
        if (job.description().isMulti()) {
            throw Fields.wrong(
                    "job.subJobs", "the elements of an array are no multi-jobs", "Give the job an executable.");
        }
        if (job.terminationTime() != null) {
            throw Fields.wrong(
                    "job.terminationTime",
                    "an array has none",
                    "Leave it out; keepSeconds says how long each job is kept from its end on.");
        }
        GroupTemplate template = template(fields, job.description());
        Integer maxRunning = fields.count("maxRunning");
        fields.end();
        return new GroupSubmission(
                job.id(),
                job.origin(),
                job.owner(),
                job.clientId(),
                job.lrm(),
                template,
                maxRunning,
                job.keepAfterEnd());
    }

    private static GroupTemplate template(Fields fields, JobDescription description) throws Problem {
        String indices = fields.text("indices");
        boolean hasValues = fields.has("values");
        if (hasValues == (indices != null)) {
            throw Fields.wrong(
                    "indices",
                    hasValues ? "values are given too" : "it is missing",
                    "Give either indices, such as 1-1000, or values.");
        }
        if (indices != null) {
            return GroupTemplate.ofIndexes(description, indexes(indices));
        }
        List<String> values = fields.texts("values");
        if (values.isEmpty()) {
            throw Fields.wrong("values", "it is empty", "Give at least one value.");
        }
        return GroupTemplate.ofValues(description, values);
    }

    private static GroupIndexes indexes(String text) throws Problem {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            throw Fields.wrong(
                    "indices",
                    Problem.told(text) + " is no range of indices",
                    "Write FIRST-LAST or FIRST-LAST:STEP, such as 1-1000 or 0-98:2.");
        }
        int first = Integer.parseInt(range.group(1));
        int last = Integer.parseInt(range.group(2));
        int step = range.group(3) == null ? 1 : Integer.parseInt(range.group(3));
        if (last < first || step < 1) {
            throw Fields.wrong(
                    "indices",
                    "there are no indices from " + first + " to " + last + " by " + step,
                    "Give a last index that is not less than the first, and a step of at least 1.");
        }
        return GroupIndexes.range(first, last, step);
    }

    /** Indices as a request writes them. */
    static String text(GroupIndexes indexes) {
        String range = indexes.first() + "-" + indexes.last();
        return indexes.step() == 1 ? range : range + ":" + indexes.step();
    }
}
