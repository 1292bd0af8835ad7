// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.job.NamedCredential;
import org.jobgate.limits.JobLimits;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/** One job description while it is read: takes its elements one after the other. */
final class JddReading {

    /** All that a job may have, those too that others read. */
    private static final Set<String> ELEMENTS = Set.of(
            "argument",
            "environment",
            "libraryPath",
            "executable",
            "directory",
            "stdin",
            "stdout",
            "stderr",
            "queue",
            "project",
            "fileStageIn",
            "fileStageOut",
            "fileCleanUp",
            DelegatedCredentials.JOB,
            DelegatedCredentials.STAGING,
            "extensions",
            "count",
            "hostCount",
            "maxTime",
            "maxWallTime",
            "maxCpuTime",
            "maxMemory",
            "minMemory",
            "jobType",
            "holdState",
            "factoryEndpoint",
            "localUserId");

    private static final long MAX_MINUTES = Duration.ofDays(36_500).toMinutes();

    /** Where a description in another language names the program. */
    private static final String ELSEWHERE = "/";

    private final JobLimits limits;
    private final @Nullable XmlElement carried;
    private final Substitution substitution;
    private final Set<String> given = new HashSet<>();
    private final List<String> arguments = new ArrayList<>();
    private final List<EnvironmentVariable> environment = new ArrayList<>();
    private final List<String> libraryPath = new ArrayList<>();
    private final List<Extension> extensions = new ArrayList<>();
    private final List<NamedCredential> credentials = new ArrayList<>();
    private final StagingReading staging;
    private long bytes;
    private @Nullable String executable;
    private @Nullable String directory;
    private @Nullable String stdin;
    private @Nullable String stdout;
    private @Nullable String stderr;
    private int count = 1;
    private @Nullable Integer hostCount;
    private JobType jobType = JobType.MULTIPLE;
    private @Nullable String queue;
    private @Nullable String project;
    private @Nullable Duration maxTime;
    private @Nullable Duration maxWallTime;
    private @Nullable Duration maxCpuTime;
    private @Nullable Long maxMemory;
    private @Nullable Long minMemory;
    private @Nullable JobState holdAt;

    JddReading(JobLimits limits, Variables variables) {
        this(limits, variables, null);
    }

    /** @param carried what describes the job in another language, and stands among its extensions; absent for none */
    JddReading(JobLimits limits, Variables variables, @Nullable XmlElement carried) {
        this.limits = limits;
        this.carried = carried;
        this.substitution = new Substitution(variables, limits.textBytes());
        this.staging = new StagingReading(limits.arguments(), this::path);
    }

    void read(XmlElement element) {
        String name = element.localName();
        switch (name) {
            case "argument" -> arguments.add(path(element));
            case "environment" -> environment.add(variable(element));
            case "libraryPath" -> libraryPath.add(path(element));
            default -> readSingle(name, element);
        }
        limits.arguments().check(arguments.size(), "Arguments of the job");
        limits.environment().check(environment.size(), "Environment variables of the job");
        limits.arguments().check(libraryPath.size(), "Library paths of the job");
    }

    private void readSingle(String name, XmlElement element) {
        if (!given.add(name)) {
            throw JddFaults.repeated(name, 2);
        }
        switch (name) {
            case "executable" -> executable = path(element);
            case "directory" -> directory = path(element);
            case "stdin" -> stdin = path(element);
            case "stdout" -> stdout = path(element);
            case "stderr" -> stderr = path(element);
            case "queue" -> queue = word(element);
            case "project" -> project = word(element);
            case "fileStageIn", "fileStageOut", "fileCleanUp" -> staging.read(element);
            case DelegatedCredentials.JOB -> credentials.add(DelegatedCredentials.read(CredentialUse.JOB, element));
            case DelegatedCredentials.STAGING ->
                credentials.add(DelegatedCredentials.read(CredentialUse.FILES, element));
            case "extensions" -> readExtensions(element);
            default -> readNumber(name, element);
        }
    }

    private void readExtensions(XmlElement element) {
        for (XmlElement child : element.children()) {
            if (child != carried) {
                extensions.add(extension(child));
            }
        }
    }

    private void readNumber(String name, XmlElement element) {
        switch (name) {
            case "count" -> count = count(element);
            case "hostCount" -> hostCount = (int) number(element, 1, Integer.MAX_VALUE);
            case "maxTime" -> maxTime = minutes(element);
            case "maxWallTime" -> maxWallTime = minutes(element);
            case "maxCpuTime" -> maxCpuTime = minutes(element);
            case "maxMemory" -> maxMemory = number(element, 0, Long.MAX_VALUE);
            case "minMemory" -> minMemory = number(element, 0, Long.MAX_VALUE);
            case "jobType" -> jobType = jobType(element);
            case "holdState" -> holdAt = holdState(element);
            default -> throw JddFaults.unknown("a job description", name, ELEMENTS);
        }
    }

    JobDescription finish() {
        String program = carried == null ? executable : ELSEWHERE;
        if (program == null || program.isEmpty()) {
            throw JddFaults.invalid("executable", "", "it must be given, and not be empty");
        }
        limits.descriptionBytes().check(bytes, "Bytes of the job description");
        credentials.addAll(staging.credentials());
        try {
            JobDescription.Builder job = JobDescription.builder(program)
                    .directory(directory)
                    .arguments(arguments)
                    .environment(environment)
                    .stdin(stdin)
                    .stdout(stdout)
                    .stderr(stderr)
                    .count(count)
                    .hostCount(hostCount)
                    .jobType(jobType)
                    .libraryPath(libraryPath)
                    .queue(queue)
                    .project(project)
                    .maxTime(maxTime)
                    .maxWallTime(maxWallTime)
                    .maxCpuTime(maxCpuTime)
                    .maxMemoryMiB(maxMemory)
                    .minMemoryMiB(minMemory)
                    .holdAt(holdAt)
                    .transfers(staging.files())
                    .credentials(credentials);
            return OwnExtensions.read(job, extensions);
        } catch (IllegalArgumentException e) {
            throw JddFaults.invalid("job", "", String.valueOf(e.getMessage()));
        }
    }

    /** A text in which variables are replaced. */
    private String path(XmlElement element) {
        return checked(element, substitution.apply(element.localName(), plain(element)));
    }

    /** A text that is taken without its surrounding space. */
    private String word(XmlElement element) {
        String text = plain(element).strip();
        if (text.isEmpty()) {
            throw JddFaults.invalid(element.localName(), "", "it must not be empty");
        }
        return checked(element, text);
    }

    private static String plain(XmlElement element) {
        if (!element.children().isEmpty()) {
            throw JddFaults.invalid(
                    element.localName(),
                    "",
                    "it must hold text, and holds the element "
                            + element.children().getFirst().localName());
        }
        return element.text();
    }

    private String checked(XmlElement element, String text) {
        if (text.indexOf('\0') >= 0) {
            throw JddFaults.invalid(element.localName(), text, "it must not hold a NUL character");
        }
        long length = text.length() * 3L <= limits.textBytes().value()
                ? text.length()
                : text.getBytes(StandardCharsets.UTF_8).length;
        limits.textBytes().check(length, "Bytes of the element " + element.localName());
        bytes += length;
        return text;
    }

    private EnvironmentVariable variable(XmlElement element) {
        String name = part(element, "name")
                .map(JddReading::plain)
                .map(String::strip)
                .orElseThrow(() -> JddFaults.invalid("environment", "", "it must hold a name"));
        String value = part(element, "value").map(this::path).orElse("");
        checked(element, name);
        try {
            return new EnvironmentVariable(name, value);
        } catch (IllegalArgumentException e) {
            throw JddFaults.invalid("environment", name, String.valueOf(e.getMessage()));
        }
    }

    private static Optional<XmlElement> part(XmlElement element, String name) {
        List<XmlElement> parts = element.children().stream()
                .filter(child -> child.localName().equals(name))
                .toList();
        if (parts.size() > 1) {
            throw JddFaults.invalid("environment", "", "it must hold one " + name + ", and holds " + parts.size());
        }
        return parts.stream().findFirst();
    }

    private int count(XmlElement element) {
        int processes = (int) number(element, 1, Integer.MAX_VALUE);
        limits.count().check(processes, "Processes of the job");
        return processes;
    }

    private static Duration minutes(XmlElement element) {
        return Duration.ofMinutes(number(element, 0, MAX_MINUTES));
    }

    private static long number(XmlElement element, long from, long to) {
        String text = plain(element).strip();
        BigInteger number;
        try {
            number = text.length() > 40 ? null : new BigInteger(text);
        } catch (NumberFormatException e) {
            throw JddFaults.invalid(element.localName(), text, "it must be a whole number");
        }
        if (number == null
                || number.compareTo(BigInteger.valueOf(from)) < 0
                || number.compareTo(BigInteger.valueOf(to)) > 0) {
            throw JddFaults.invalid(element.localName(), text, "it must be a whole number from " + from + " to " + to);
        }
        return number.longValueExact();
    }

    private static JobType jobType(XmlElement element) {
        String text = plain(element).strip();
        for (JobType type : JobType.values()) {
            if (type.name().toLowerCase(Locale.ROOT).equals(text)) {
                return type;
            }
        }
        throw JddFaults.invalid("jobType", text, "it must be mpi, single, multiple or condor");
    }

    private static JobState holdState(XmlElement element) {
        String text = plain(element).strip();
        return HoldStates.state(text)
                .orElseThrow(() -> JddFaults.unsupported(
                        "holdState",
                        "A job cannot be held at '" + text + "'.",
                        "Ask to hold it at StageIn, Pending, StageOut or CleanUp."));
    }

    private Extension extension(XmlElement element) {
        var attributes = new java.util.LinkedHashMap<String, String>();
        element.attributes().forEach((name, value) -> attributes.put(name.getLocalPart(), checked(element, value)));
        List<Extension> children =
                element.children().stream().map(this::extension).toList();
        return new Extension(element.localName(), attributes, checked(element, element.trimmedText()), children);
    }
}
