// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.ReadingContext;
import org.jobgate.limits.JobLimits;

/** ADL as a language of any door. A job in it has no session directory then, so that it can have no files from or to URLs. */
public final class AdlLanguage implements JobLanguage {

    private final Function<JobLimits, ActivityRules> rules;

    /** The language with the site's rules, by the limits of a request. */
    public AdlLanguage(Function<JobLimits, ActivityRules> rules) {
        this.rules = requireNonNull(rules, "rules is null");
    }

    @Override
    public String name() {
        return "adl";
    }

    @Override
    public List<String> mediaTypes() {
        return List.of("application/adl+xml");
    }

    @Override
    public boolean recognizes(String beginning) {
        return beginning.contains(AdlValues.ADL) && beginning.contains("ActivityDescription");
    }

    @Override
    public List<DescribedJob> read(String text, ReadingContext context) {
        List<DescribedJob> jobs = new ArrayList<>();
        for (AdlReader.Result one : new AdlReader(rules.apply(context.limits())).readAll(text)) {
            jobs.add(described(one.activity(), one.fault()));
        }
        return jobs;
    }

    @Override
    public Optional<String> write(JobDescription description) {
        return description.isMulti() || OnlyTransfers.is(description) || description.directory() != null
                ? Optional.empty()
                : AdlWriter.writeWhole(Activity.of(description));
    }

    /**
     * The job of an activity at a door that makes no session directories.
     *
     * @throws FaultException that is given, or that says that the activity needs a session directory
     */
    public static DescribedJob described(
            @org.jspecify.annotations.Nullable Activity activity, @org.jspecify.annotations.Nullable Fault fault) {
        if (activity == null) {
            throw new FaultException(requireNonNull(fault, "neither an activity nor a fault"));
        }
        for (List<Activity.FileUrl> files : List.of(activity.fetched(), activity.sent())) {
            if (!files.isEmpty()) {
                throw ActivityFaults.ADL.unsupported(
                        "DataStaging",
                        "files from and to URLs lie in a session directory, which jobs of this interface do not have",
                        "Submit the job through the ARC interface, or describe it as JSON.");
            }
        }
        return DescribedJob.of(activity.description())
                .withClientId(activity.submissionKey())
                .withKeepAfterEnd(activity.keepFor());
    }
}
