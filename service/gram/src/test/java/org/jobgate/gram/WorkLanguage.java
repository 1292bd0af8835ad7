// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobDescription;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.ReadingContext;

/**
 * A language of one element: {@code <Work xmlns="urn:work" do="PROGRAM"/>} and, each optional, the attributes {@code output}, {@code lrm},
 * {@code account}, {@code id} and {@code many}.
 */
final class WorkLanguage implements JobLanguage {

    private static final Pattern ATTRIBUTE = Pattern.compile("\\b(\\w+)=\"([^\"]*)\"");

    @Override
    public String name() {
        return "work";
    }

    @Override
    public List<String> mediaTypes() {
        return List.of("application/work+xml");
    }

    @Override
    public boolean recognizes(String beginning) {
        return beginning.contains("\"urn:work\"");
    }

    private static Optional<String> attribute(String text, String name) {
        Matcher matcher = ATTRIBUTE.matcher(text);
        while (matcher.find()) {
            if (matcher.group(1).equals(name)) {
                return Optional.of(matcher.group(2));
            }
        }
        return Optional.empty();
    }

    @Override
    public List<DescribedJob> read(String text, ReadingContext context) {
        String program = attribute(text, "do")
                .orElseThrow(() ->
                        new FaultException(Fault.of(FaultCode.INVALID_DESCRIPTION, "Work does nothing.", "Say do.")
                                .about("do", "")));
        JobDescription job = JobDescription.builder(program)
                .arguments(List.of(context.account(attribute(text, "account")), context.defaultLrm()))
                .stdout(attribute(text, "output").orElse(null))
                .build();
        DescribedJob described = attribute(text, "many").isPresent()
                ? DescribedJob.of(GroupTemplate.ofIndexes(job, GroupIndexes.range(1, 3, 1)))
                : DescribedJob.of(job);
        return List.of(described
                .withLrm(attribute(text, "lrm").orElse(null))
                .withAccount(attribute(text, "account").orElse(null))
                .withClientId(attribute(text, "id").orElse(null)));
    }
}
