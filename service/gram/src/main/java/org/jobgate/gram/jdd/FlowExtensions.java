// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jobgate.job.After;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;
import org.jobgate.job.SubJob;
import org.jspecify.annotations.Nullable;

/**
 * What the jobs of a multi-job wait for, which stands in their {@code extensions} (docs/reference/gram4.md): {@code flowId} is what the others
 * call a job, and each {@code after} names one that it waits for, with {@code when} as an attribute.
 */
public final class FlowExtensions {

    private static final String ID = "flowId";
    private static final String AFTER = "after";
    private static final String WHEN = "when";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1," + SubJob.LONGEST_NAME + "}");

    private FlowExtensions() {}

    /**
     * The sub job, whose description has these extensions no more.
     *
     * @throws org.jobgate.job.FaultException where one of them is wrong
     */
    public static SubJob read(String lrm, String account, JobDescription description) {
        List<Extension> others = new ArrayList<>();
        List<After> after = new ArrayList<>();
        String id = null;
        for (Extension extension : description.extensions()) {
            switch (extension.name()) {
                case ID -> id = name(extension, id);
                case AFTER -> after.add(new After(name(extension, null), when(extension)));
                default -> others.add(extension);
            }
        }
        return new SubJob(
                lrm, account, description.toBuilder().extensions(others).build(), id, after);
    }

    /**
     * Refuses a job of its own that says what it waits for: it would wait for nothing, and the LRM would get a word that it does not know.
     *
     * @return the same
     */
    static JobDescription alone(JobDescription description) {
        if (description.extensions().stream()
                .anyMatch(extension -> extension.name().equals(AFTER))) {
            throw JddFaults.unsupported(
                    AFTER,
                    "A job says in extensions what it waits for (after), which GRAM4's language has for the jobs of a multi-job only.",
                    "Make it the one job of a multi-job, or submit it as JSON or JSDL.");
        }
        return description;
    }

    /** The description of the sub job with these extensions, as its client wrote it. */
    static JobDescription written(SubJob sub) {
        List<Extension> all = new ArrayList<>(sub.description().extensions());
        if (sub.name() != null) {
            all.add(new Extension(ID, Map.of(), sub.name(), List.of()));
        }
        for (After one : sub.after()) {
            all.add(new Extension(AFTER, Map.of(WHEN, one.when().word()), one.job(), List.of()));
        }
        return sub.description().toBuilder().extensions(all).build();
    }

    private static String name(Extension extension, @Nullable String before) {
        String name = extension.text().strip();
        if (before != null || !NAME.matcher(name).matches()) {
            throw JddFaults.invalid(
                    extension.name(),
                    name,
                    "it must be one name of 1 to " + SubJob.LONGEST_NAME
                            + " letters, digits, dots, dashes and underscores");
        }
        return name;
    }

    private static After.When when(Extension extension) {
        String word = extension.attributes().getOrDefault(WHEN, After.When.OK.word());
        return Arrays.stream(After.When.values())
                .filter(value -> value.word().equals(word))
                .findFirst()
                .orElseThrow(() -> JddFaults.invalid(AFTER, word, "its attribute when must be ok, failed or any"));
    }
}
