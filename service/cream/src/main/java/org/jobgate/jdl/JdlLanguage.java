// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.util.List;
import java.util.regex.Pattern;
import org.jobgate.job.DescriptionPart;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.ReadingContext;

/**
 * JDL as a language of any door. A job has no sandboxes then, so that it can have no files that come with it or go after it, and runs in
 * its account's home.
 */
public final class JdlLanguage implements JobLanguage {

    /** Space, comments, a bracket, and the first attribute. */
    private static final Pattern BEGINNING = Pattern.compile(
            "(?s)(?:\\s|#[^\\n]*+\\n|//[^\\n]*+\\n|/\\*.*?\\*/)*+(?:\\[(?:\\s|#[^\\n]*+\\n|//[^\\n]*+\\n|/\\*.*?\\*/)*+)?[A-Za-z_][A-Za-z0-9_]{0,127}+\\s*+=[^=].*+");

    private static final Pattern PROGRAM = Pattern.compile("(?i)\\bexecutable\\s*+=");

    @Override
    public String name() {
        return "jdl";
    }

    @Override
    public List<String> mediaTypes() {
        return List.of("application/x-jdl", "text/x-jdl");
    }

    @Override
    public boolean recognizes(String beginning) {
        return BEGINNING.matcher(beginning).matches()
                && PROGRAM.matcher(beginning).find();
    }

    @Override
    public List<DescribedJob> read(String text, ReadingContext context) {
        Jdl jdl = new JdlReader(context.limits()).read(text);
        DescribedJob job = DescribedJob.of(jdl.plainDescription());
        String lrm = jdl.lrm();
        if (lrm == null) {
            return List.of(job);
        }
        // batch systems are written in small letters in JDL
        String known = context.lrms().stream()
                .filter(lrm::equalsIgnoreCase)
                .findFirst()
                .orElse(lrm);
        return List.of(job.withLrm(known));
    }

    @Override
    public String nameOf(DescriptionPart part) {
        return switch (part) {
            case EXECUTABLE -> "Executable";
            case ARGUMENT -> "Arguments";
            case ENVIRONMENT -> "Environment";
            case STDIN -> "StdInput";
            case STDOUT -> "StdOutput";
            case STDERR -> "StdError";
            case COUNT -> "CpuNumber";
            case HOST_COUNT -> "HostNumber";
            case QUEUE -> "QueueName";
            case LRM -> "BatchSystem";
            case STAGE_IN, TRANSFER_SOURCE -> "InputSandbox";
            case STAGE_OUT, TRANSFER_DESTINATION -> "OutputSandbox";
            case MAX_WALL_TIME, MAX_CPU_TIME, MIN_MEMORY -> "CERequirements";
            default -> part.word();
        };
    }
}
