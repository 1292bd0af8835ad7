// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jobgate.adl.ActivityRules;
import org.jobgate.adl.AdlLanguage;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.ReadingContext;
import org.jobgate.limits.JobLimits;

/** xRSL as a language of any door, in the dialect of services: bare numbers of times are seconds. */
public final class XrslLanguage implements JobLanguage {

    private final Function<JobLimits, ActivityRules> rules;

    /** The language with the site's rules, by the limits of a request. */
    public XrslLanguage(Function<JobLimits, ActivityRules> rules) {
        this.rules = requireNonNull(rules, "rules is null");
    }

    @Override
    public String name() {
        return "xrsl";
    }

    @Override
    public List<String> mediaTypes() {
        return List.of("application/xrsl", "text/xrsl");
    }

    @Override
    public boolean recognizes(String beginning) {
        return XrslReader.recognizes(beginning);
    }

    @Override
    public List<DescribedJob> read(String text, ReadingContext context) {
        List<DescribedJob> jobs = new ArrayList<>();
        XrslReader reader = new XrslReader(rules.apply(context.limits()), XrslDialect.SERVER);
        for (XrslReader.Result one : reader.readAll(text)) {
            jobs.add(AdlLanguage.described(one.activity(), one.fault()));
        }
        return jobs;
    }
}
