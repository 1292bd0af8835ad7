// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.FaultException;
import org.jobgate.limits.JobLimits;
import org.jspecify.annotations.Nullable;

/**
 * Reads JDL (facts/cream.md, section 6). What a rule of CREAM forbids is refused with CREAM's own words; attributes that nobody here knows
 * are ignored, as CREAM ignores them, and named in {@link Jdl#ignored}.
 */
public final class JdlReader {

    static final String EXECUTABLE = "Executable";
    static final String STDIN = "StdInput";

    /** All that is read here; the case of letters does not count. */
    private static final Set<String> KNOWN = known();

    private final JobLimits limits;

    public JdlReader(JobLimits limits) {
        this.limits = limits;
    }

    private static Set<String> known() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(List.of(
                "Type",
                "JobType",
                EXECUTABLE,
                "Arguments",
                STDIN,
                "StdOutput",
                "StdError",
                JdlSandboxes.INPUT,
                JdlSandboxes.INPUT_BASE,
                JdlSandboxes.OUTPUT,
                JdlSandboxes.OUTPUT_TO,
                JdlSandboxes.OUTPUT_BASE,
                "Environment",
                "Prologue",
                "PrologueArguments",
                "Epilogue",
                "EpilogueArguments",
                "BatchSystem",
                "QueueName",
                "CERequirements",
                "VirtualOrganisation",
                "MyProxyServer",
                "HLRLocation",
                "MaxOutputSandboxSize",
                "edg_jobid"));
        names.addAll(JdlProcessors.NAMES);
        names.addAll(JdlPerusal.NAMES);
        names.addAll(JdlRefused.NAMES);
        return names;
    }

    /**
     * What the text says, where it may leave out {@code BatchSystem} and {@code QueueName}.
     *
     * @throws FaultException of code {@code INVALID_DESCRIPTION}, {@code UNSUPPORTED_FEATURE} or {@code LIMIT_EXCEEDED}
     */
    public Jdl read(String text) {
        return read(text, false);
    }

    /** The same, where the text must name them, as CREAM wants it. */
    public Jdl readAddressed(String text) {
        return read(text, true);
    }

    private Jdl read(String text, boolean isAddressed) {
        long bytes = text.length() * 3L <= limits.descriptionBytes().value()
                ? text.length()
                : text.getBytes(StandardCharsets.UTF_8).length;
        limits.descriptionBytes().check(bytes, "Bytes of the JDL");
        JdlRecord record = JdlParser.parse(text);
        JdlAttributes attributes = new JdlAttributes(record, limits);
        requireType(attributes);
        JdlRefused.check(record, attributes);
        JdlSandboxes sandboxes = new JdlSandboxes(attributes, limits);
        List<Jdl.InputFile> input = sandboxes.input();
        Files files = new Files(attributes, input);
        Jdl.Program program = program(attributes, files);
        return new Jdl(
                isAddressed ? attributes.mandatory("BatchSystem") : attributes.text("BatchSystem"),
                isAddressed ? attributes.mandatory("QueueName") : attributes.text("QueueName"),
                program,
                new Jdl.Streams(files.given(STDIN), files.inside("StdOutput"), files.inside("StdError")),
                input,
                sandboxes.output(),
                JdlProcessors.read(attributes),
                CeRequirements.parse(attributes.expression("CERequirements")),
                JdlPerusal.read(attributes),
                grid(attributes),
                record.names().stream().filter(name -> !KNOWN.contains(name)).toList());
    }

    private static void requireType(JdlAttributes attributes) {
        String type = attributes.text("Type");
        if (type != null && !type.equalsIgnoreCase("Job")) {
            throw JdlFaults.invalid("Type", type, "Type \"" + JdlFaults.shown(type) + "\" not allowed");
        }
        String jobType = attributes.text("JobType");
        if (jobType != null && !jobType.equalsIgnoreCase("Normal")) {
            throw JdlFaults.invalid("JobType", jobType, "JobType \"" + JdlFaults.shown(jobType) + "\" not allowed");
        }
    }

    private Jdl.Program program(JdlAttributes attributes, Files files) {
        attributes.mandatory(EXECUTABLE);
        String executable = files.given(EXECUTABLE);
        return new Jdl.Program(
                executable == null ? "" : executable,
                words(attributes, "Arguments"),
                environment(attributes),
                command(attributes, files, "Prologue"),
                command(attributes, files, "Epilogue"));
    }

    private List<String> command(JdlAttributes attributes, Files files, String name) {
        String program = files.given(name);
        if (program == null) {
            return List.of();
        }
        List<String> words = new ArrayList<>();
        words.add(program);
        words.addAll(words(attributes, name + "Arguments"));
        return words;
    }

    private List<String> words(JdlAttributes attributes, String name) {
        String text = attributes.text(name);
        List<String> words = text == null ? List.of() : ArgumentWords.split(name, text);
        limits.arguments().check(words.size(), "Words of the attribute " + name);
        return words;
    }

    private List<EnvironmentVariable> environment(JdlAttributes attributes) {
        List<EnvironmentVariable> variables = new ArrayList<>();
        for (String item : attributes.texts("Environment", limits.environment())) {
            int sign = item.indexOf('=');
            if (sign < 0) {
                throw JdlFaults.invalid(
                        "Environment",
                        item,
                        "Environment: wrong item " + JdlFaults.shown(item) + " (equality required)");
            }
            try {
                variables.add(new EnvironmentVariable(
                        item.substring(0, sign).strip(),
                        item.substring(sign + 1).strip()));
            } catch (IllegalArgumentException e) {
                throw JdlFaults.invalid(
                        "Environment",
                        item,
                        "Environment: wrong item " + JdlFaults.shown(item) + " (" + e.getMessage() + ")");
            }
        }
        return variables;
    }

    private static Jdl.Grid grid(JdlAttributes attributes) {
        Double most = attributes.number("MaxOutputSandboxSize");
        return new Jdl.Grid(
                attributes.text("edg_jobid"),
                attributes.text("VirtualOrganisation"),
                attributes.text("MyProxyServer"),
                attributes.text("HLRLocation"),
                // a workload management writes -1 for no bound
                most == null || most < 0 ? null : most.longValue());
    }

    /** Attributes that name one file. */
    private record Files(JdlAttributes attributes, List<Jdl.InputFile> input) {

        /** A file that is there already (absolute), or one that comes with the job. */
        @Nullable
        String given(String name) {
            String path = checked(name);
            if (path == null || path.startsWith("/")) {
                return path;
            }
            if (path.startsWith("$")) {
                throw JdlFaults.unsupported(
                        name,
                        path,
                        "no shell reads it, so that variables are not replaced in it",
                        "Give the whole path.");
            }
            if (path.indexOf('/') >= 0) {
                throw JdlFaults.invalid(name, path, name + ": relative path not allowed");
            }
            if (input.stream().noneMatch(file -> file.name().equals(path))) {
                throw JdlFaults.invalid(
                        name,
                        path,
                        name + ": the file " + JdlFaults.shown(path) + " must be listed in the InputSandbox");
            }
            return path;
        }

        /** A file that the job makes in its working directory. */
        @Nullable
        String inside(String name) {
            String path = checked(name);
            if (path != null && (path.startsWith("/") || path.startsWith("$"))) {
                throw JdlFaults.invalid(name, path, name + ": absolute path not allowed");
            }
            if (path != null && List.of(path.split("/", -1)).contains("..")) {
                throw JdlFaults.invalid(name, path, name + ": '..' is not allowed in a path");
            }
            return path;
        }

        private @Nullable String checked(String name) {
            String path = attributes.text(name);
            if (path == null) {
                return null;
            }
            if (path.endsWith("/") || path.endsWith("\\")) {
                throw JdlFaults.invalid(name, path, name + ": directory path not allowed");
            }
            if (path.chars().anyMatch(letter -> "*?[]".indexOf(letter) >= 0)) {
                throw JdlFaults.invalid(name, path, name + ": wildcards not allowed");
            }
            return path;
        }
    }
}
