// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobType;
import org.jobgate.job.OutputOptions;
import org.jobgate.job.Resources;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jspecify.annotations.Nullable;

/** Makes a job of what a JDL says, for given places of its files. */
final class JdlTranslation {

    /** A directory with nothing in it: to copy it makes one (docs/reference/staging.md). */
    private static final String NEW_DIRECTORY = "empty:///";

    /** Those files of a directory whose names match (docs/reference/staging.md). */
    private static final String MATCH = "match";

    /** What a workload management found out about the computing elements that it chose from, among the files of the job. */
    private static final String BROKER_INFO = ".BrokerInfo";

    private static final long MOST_MINUTES = Duration.ofDays(36_500).toMinutes();

    private final Jdl jdl;
    private final @Nullable JdlPlaces places;

    /** @param places null for a job without sandboxes, which runs in its account's home */
    JdlTranslation(Jdl jdl, @Nullable JdlPlaces places) {
        this.jdl = jdl;
        this.places = places;
    }

    JobDescription description() {
        try {
            Jdl.Program program = jdl.program();
            JobDescription.Builder job = JobDescription.builder(inWork(program.executable()))
                    .directory(places == null ? null : places.work())
                    .arguments(program.arguments())
                    .environment(environment())
                    .stdin(orNull(jdl.streams().input()))
                    .stdout(orNull(jdl.streams().output()))
                    .stderr(orNull(jdl.streams().error()))
                    .jobType(JobType.SINGLE)
                    .hostCount(jdl.processors().hosts())
                    .queue(jdl.queue())
                    .transfers(places == null ? TransferList.NONE : files(places));
            return required(job).build();
        } catch (IllegalArgumentException e) {
            throw JdlFaults.invalid(String.valueOf(e.getMessage()));
        }
    }

    private TransferList files(JdlPlaces of) {
        Long most = jdl.grid().maxOutputBytes();
        return new TransferList(
                stageIn(of),
                stageOut(of),
                List.of(of.workUrl()),
                Map.of(),
                most == null || jdl.output().isEmpty() ? Map.of() : Map.of(OutputOptions.MOST_BYTES, most.toString()),
                Map.of());
    }

    /** Without a directory of its own the LRM takes the home for it. */
    private String inWork(String file) {
        return file.startsWith("/") || places == null ? file : places.work() + "/" + file;
    }

    private @Nullable String orNull(@Nullable String file) {
        return file == null ? null : inWork(file);
    }

    private List<String> command(List<String> words) {
        List<String> command = new ArrayList<>(words);
        if (!command.isEmpty()) {
            command.set(0, inWork(command.getFirst()));
        }
        return command;
    }

    /** What a workload management's jobs find in their environment, unless the text says otherwise. */
    private List<EnvironmentVariable> environment() {
        List<EnvironmentVariable> all = new ArrayList<>(jdl.program().environment());
        for (String name : List.of("GRID_JOBID", "GLITE_WMS_JOBID", "EDG_WL_JOBID")) {
            add(all, name, jdl.grid().jobId());
        }
        add(all, "HLR_LOCATION", jdl.grid().hlr());
        boolean hasBrokerInfo =
                jdl.input().stream().anyMatch(file -> file.name().equals(BROKER_INFO));
        add(all, "GLITE_WMS_RB_BROKERINFO", hasBrokerInfo ? inWork(BROKER_INFO) : null);
        return all;
    }

    private static void add(List<EnvironmentVariable> all, String name, @Nullable String value) {
        if (value != null && all.stream().noneMatch(variable -> variable.name().equals(name))) {
            all.add(new EnvironmentVariable(name, value));
        }
    }

    private JobDescription.Builder required(JobDescription.Builder job) {
        Jdl.Processors processors = jdl.processors();
        Resources.Builder resources = Resources.builder()
                .slots(processors.count() > 1 ? processors.count() : null)
                .slotsPerHost(processors.perHost())
                .wholeNodes(processors.wholeNodes())
                .gpus(processors.gpus())
                .preCommand(command(jdl.program().prologue()))
                .postCommand(command(jdl.program().epilogue()));
        least("GlueCEPolicyMaxWallClockTime", "GlueCEPolicyMaxObtainableWallClockTime")
                .ifPresent(minutes -> job.maxWallTime(Duration.ofMinutes(Math.min(minutes, MOST_MINUTES))));
        least("GlueCEPolicyMaxCPUTime", "GlueCEPolicyMaxObtainableCPUTime")
                .ifPresent(minutes -> job.maxCpuTime(Duration.ofMinutes(Math.min(minutes, MOST_MINUTES))));
        least("GlueHostMainMemoryRAMSize").ifPresent(job::minMemoryMiB);
        equal("GlueHostArchitecturePlatformType").ifPresent(resources::architecture);
        if (!jdl.requirements().text().isEmpty()) {
            job.extensions(List.of(extension()));
        }
        return job.resources(resources.build());
    }

    /** The whole expression and its comparisons, by the names of the variables that CREAM makes of them. */
    private Extension extension() {
        List<Extension> parts = jdl.requirements().parts().stream()
                .map(part -> new Extension("requirement", Map.of("name", part.variable()), part.value(), List.of()))
                .toList();
        return new Extension("CERequirements", Map.of(), jdl.requirements().text(), parts);
    }

    /** The largest lower bound of these attributes, as a whole number that is more than 0. */
    private OptionalLong least(String... names) {
        return jdl.requirements().parts().stream()
                .filter(part -> part.operator().startsWith(">") && isOneOf(part.attribute(), names))
                .map(part -> whole(part.value()))
                .flatMapToLong(OptionalLong::stream)
                .max();
    }

    private static boolean isOneOf(String attribute, String... names) {
        for (String name : names) {
            if (name.equalsIgnoreCase(attribute)) {
                return true;
            }
        }
        return false;
    }

    private static OptionalLong whole(String value) {
        if (!value.matches("[0-9]{1,18}(\\.[0-9]+)?")) {
            return OptionalLong.empty();
        }
        long whole = Long.parseLong(value.replaceFirst("\\..*", ""));
        return whole > 0 ? OptionalLong.of(whole) : OptionalLong.empty();
    }

    private Optional<String> equal(String name) {
        return jdl.requirements().parts().stream()
                .filter(part -> part.operator().equals("==") && part.attribute().equalsIgnoreCase(name))
                .map(CeRequirements.Comparison::value)
                .findFirst();
    }

    private List<Transfer> stageIn(JdlPlaces of) {
        List<Transfer> copies = new ArrayList<>();
        copies.add(new Transfer(NEW_DIRECTORY, of.workUrl()));
        for (Jdl.InputFile file : jdl.input()) {
            String to = JdlPlaces.url(of.work() + "/" + file.name());
            copies.add(
                    file.url() == null
                            ? new Transfer(JdlPlaces.url(of.input() + "/" + file.name()), to)
                            : new Transfer(file.url(), to, subject("sourceSubjectName", file.subject())));
        }
        return copies;
    }

    private List<Transfer> stageOut(JdlPlaces of) {
        List<Transfer> copies = new ArrayList<>();
        jdl.output().forEach(file -> copies.add(sent(of, file)));
        Jdl.Perusal perusal = jdl.perusal();
        if (perusal != null) {
            copies.add(slices(of, perusal));
        }
        return copies;
    }

    /** What is sent while the job runs, of the files that the list names. */
    private static Transfer slices(JdlPlaces of, Jdl.Perusal perusal) {
        Map<String, String> options = new HashMap<>();
        options.put(OutputOptions.SLICES, Integer.toString(perusal.seconds()));
        options.put(OutputOptions.SLICES_LIST, perusal.list().url());
        options.putAll(subject(OutputOptions.SLICES_LIST_SUBJECT, perusal.list().subject()));
        options.putAll(subject("destinationSubjectName", perusal.destination().subject()));
        return new Transfer(of.workUrl(), perusal.destination().directory() + "/", options);
    }

    private Transfer sent(JdlPlaces of, Jdl.OutputFile file) {
        String path = inWork(file.path());
        String to = file.destination() == null ? JdlPlaces.url(of.output() + "/" + file.kept()) : file.destination();
        Map<String, String> subject = subject("destinationSubjectName", file.subject());
        if (!file.isPattern()) {
            return new Transfer(JdlPlaces.url(path), to, subject);
        }
        String name = JdlSandboxes.lastPart(path);
        Map<String, String> options = new HashMap<>(subject);
        options.put(MATCH, name);
        return new Transfer(JdlPlaces.url(path.substring(0, path.length() - name.length())), to, options);
    }

    private static Map<String, String> subject(String option, @Nullable String subject) {
        return subject == null ? Map.of() : Map.of(option, subject);
    }
}
