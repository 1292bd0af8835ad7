// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jobgate.access.JobPermit;
import org.jobgate.access.Jobs;
import org.jobgate.job.After;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.JobState;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.Owner;
import org.jobgate.job.SubJob;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a job that is to be run (the schema JobRequest). */
final class JobForm {

    /** The name of this door. */
    static final String DOOR = "rest";

    static final String LRM = "lrm";
    static final String ACCOUNT = "account";

    private static final JobOrigin ORIGIN = new JobOrigin(DOOR, "json");
    private static final int LONGEST_KEY = 256;
    private static final int LONGEST_NAME = 64;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1," + SubJob.LONGEST_NAME + "}");

    private final JobLimits limits;
    private final Jobs jobs;

    /** What the query of the address says of jobs whose content names none: the LRM, and the local account. */
    record Defaults(Optional<String> lrm, Optional<String> account) {

        static Defaults of(Query query) {
            return new Defaults(query.text(LRM), query.text(ACCOUNT));
        }
    }

    JobForm(Jobs jobs, JobLimits limits) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.limits = requireNonNull(limits, "limits is null");
    }

    /**
     * @param path where it stands in the request; empty for the whole
     * @param key of the header, if there is one
     * @param defaults what the job has, and each part of a multi-job, where the content names none
     */
    Submission read(JsonNode node, String path, JobPermit permit, @Nullable String key, Defaults defaults)
            throws Problem {
        Fields fields = new Fields(node, path, new TextBudget(limits));
        String account = account(permit, fields, defaults);
        String own = fields.text("idempotencyKey");
        Instant terminationTime = fields.time("terminationTime");
        Duration keep = fields.seconds("keepSeconds", 0);
        String named = fields.text(LRM);
        JobDescription description;
        String lrm;
        if (fields.has("subJobs")) {
            lrm = Jobs.MULTI;
            description = multi(fields, permit, defaults);
            if (named != null && !named.equals(Jobs.MULTI)) {
                throw Fields.wrong(
                        fields.path(LRM), "a multi-job has none of its own", "Name the LRM in each of subJobs.");
            }
        } else {
            description = DescriptionForm.read(fields).toBuilder()
                    .after(after(fields, JobForm::jobId))
                    .build();
            lrm = lrm(named, description, defaults);
        }
        fields.end();
        String clientId = key(fields, own, key);
        Owner owner = new Owner(permit.subject(), account);
        return new Submission(
                jobs.newId(owner, DOOR, clientId),
                ORIGIN,
                owner,
                clientId,
                lrm,
                description,
                terminationTime,
                keep,
                List.of());
    }

    private static @Nullable String key(Fields fields, @Nullable String own, @Nullable String header) throws Problem {
        if (own == null) {
            return header;
        }
        if (header != null && !header.equals(own)) {
            throw Fields.wrong(
                    fields.path("idempotencyKey"),
                    "it is not what the header Idempotency-Key says",
                    "Give the key once.");
        }
        return checkedKey(own);
    }

    /** The client's id of a submission, as it is kept. */
    static String checkedKey(String key) throws Problem {
        boolean isGood =
                !key.isEmpty() && key.length() <= LONGEST_KEY && key.chars().noneMatch(Character::isISOControl);
        if (!isGood) {
            throw Fields.wrong(
                    "Idempotency-Key",
                    "it has " + key.length() + " characters, or one that is for control",
                    "Give 1 to " + LONGEST_KEY + " plain characters, such as a UUID.");
        }
        return key;
    }

    private String lrm(@Nullable String named, JobDescription description, Defaults defaults) {
        if (named != null) {
            return named;
        }
        if (OnlyTransfers.is(description)) {
            return OnlyTransfers.LRM;
        }
        return defaults.lrm().orElseGet(() -> jobs.lrms().iterator().next());
    }

    private static String account(JobPermit permit, Fields fields, Defaults defaults) throws Problem {
        String own = fields.text(ACCOUNT);
        String named = own == null || own.isEmpty() ? defaults.account().orElse(null) : own;
        try {
            return permit.account(Optional.ofNullable(named));
        } catch (FaultException e) {
            throw new Problem(
                            403,
                            "NOT_AUTHORIZED",
                            "You may not run jobs as the account " + Problem.told(String.valueOf(named)) + ".",
                            "Leave account out, or name one that GET /api/v1/whoami tells.")
                    .with("attribute", fields.path(ACCOUNT))
                    .with("value", Problem.plain(String.valueOf(named)));
        }
    }

    private JobDescription multi(Fields fields, JobPermit permit, Defaults defaults) throws Problem {
        List<SubJob> subJobs = new ArrayList<>();
        JobState holdAt = DescriptionForm.holdable(fields, "holdAt");
        if (fields.has("executable")) {
            throw Fields.wrong(
                    fields.path("executable"), "a multi-job has none of its own", "Name it in each of subJobs.");
        }
        for (JsonNode node : fields.list("subJobs")) {
            Fields sub = new Fields(node, fields.path("subJobs") + "[" + subJobs.size() + "]", fields.budget());
            String account = account(permit, sub, defaults);
            JobDescription description = DescriptionForm.read(sub);
            String lrm = lrm(sub.text(LRM), description, defaults);
            if (lrm.isEmpty() || lrm.length() > LONGEST_NAME) {
                throw Fields.wrong(sub.path(LRM), "there is no such LRM", "Name one of: " + names() + ".");
            }
            subJobs.add(new SubJob(lrm, account, description, name(sub, sub.text("id")), after(sub, JobForm::name)));
            sub.end();
        }
        if (subJobs.isEmpty()) {
            throw Fields.wrong(fields.path("subJobs"), "it is empty", "Give at least one job.");
        }
        try {
            return JobDescription.multi(subJobs, holdAt);
        } catch (IllegalArgumentException e) {
            throw Fields.wrong(fields.path("subJobs"), Problem.plain(String.valueOf(e.getMessage())), "Correct it.");
        }
    }

    /** What the other jobs of a flow call it, if it may be that. */
    private static @Nullable String name(Fields fields, @Nullable String text) throws Problem {
        if (text != null && !NAME.matcher(text).matches()) {
            throw Fields.wrong(
                    fields.path("id"),
                    Problem.told(text) + " is no name of a job in a flow",
                    "Give 1 to " + SubJob.LONGEST_NAME + " letters, digits, dots, dashes and underscores.");
        }
        return text;
    }

    /** The id of an earlier job. */
    private static String jobId(Fields fields, String text) throws Problem {
        try {
            return JobId.parse(text).toString();
        } catch (IllegalArgumentException e) {
            throw Fields.wrong(
                    fields.path("id"),
                    Problem.told(text) + " is no id of a job",
                    "Give the id that the gateway has given to an earlier job of yours.");
        }
    }

    /** Says whether it may be the name of a job that is waited for, and how that is kept. */
    private interface Naming {
        @Nullable
        String of(Fields fields, String text) throws Problem;
    }

    private static List<After> after(Fields sub, Naming naming) throws Problem {
        List<After> all = new ArrayList<>();
        for (JsonNode node : sub.list("after")) {
            Fields one = new Fields(node, sub.path("after") + "[" + all.size() + "]", sub.budget());
            String name = naming.of(one, one.needed("id"));
            String word = one.text("when");
            After.When when = Arrays.stream(After.When.values())
                    .filter(value -> value.word().equals(word == null ? After.When.OK.word() : word))
                    .findFirst()
                    .orElseThrow(() -> Fields.wrong(
                            one.path("when"),
                            Problem.told(String.valueOf(word)) + " is no way to end",
                            "Give ok, failed or any."));
            all.add(new After(requireNonNull(name), when));
            one.end();
        }
        return all;
    }

    private String names() {
        return String.join(", ", jobs.lrms());
    }
}
