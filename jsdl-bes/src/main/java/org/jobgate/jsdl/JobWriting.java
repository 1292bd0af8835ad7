// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jobgate.files.FileNames;
import org.jobgate.job.CreationFlag;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobType;
import org.jobgate.job.Resources;
import org.jobgate.job.Transfer;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** One document while it is written, in the order of the schemas. */
final class JobWriting {

    private static final String NC_NAME = "[A-Za-z_][A-Za-z0-9._-]*";
    private static final String MPI = "http://www.ogf.org/jsdl/2007/02/jsdl-spmd/MPI";

    private final XmlWriter out;
    private final JobDescription job;
    private final Resources resources;
    private final FileSystems fileSystems;
    private final JsdlWriter.Form form;
    private final Set<String> own;
    private final List<Extension> labels;

    /** @param own the parts that words of ours say; lists among them are not said twice */
    JobWriting(XmlWriter out, JobDescription job, FileSystems fileSystems, JsdlWriter.Form form, Set<String> own) {
        this.out = out;
        this.fileSystems = fileSystems;
        this.job = job;
        this.resources = Draft.resources(job);
        this.form = form;
        this.own = own;
        this.labels = Labels.of(job);
    }

    void write(List<Extension> words) {
        out.open(Names.jsdl("JobDefinition"));
        label(Labels.ID).filter(id -> id.matches(NC_NAME)).ifPresent(id -> out.attribute("id", id));
        out.open(Names.jsdl("JobDescription"));
        writeIdentification();
        writeApplication();
        writeResources();
        if (form.files() && !own.contains("Files")) {
            writeFiles();
        }
        if (!words.isEmpty()) {
            out.open(Names.own("Job"));
            words.forEach(this::writeWord);
            out.close();
        }
        out.close();
        out.close();
    }

    private void writeWord(Extension word) {
        out.open(Names.own(word.name()));
        word.attributes().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(attribute -> out.attribute(attribute.getKey(), attribute.getValue()));
        if (!word.text().isEmpty()) {
            out.text(word.text());
        }
        word.children().forEach(this::writeWord);
        out.close();
    }

    private Optional<String> label(String name) {
        return labels.stream()
                .filter(label -> label.name().equals(name))
                .map(Extension::text)
                .findFirst();
    }

    private void writeLabels(String label, String element) {
        labels.stream()
                .filter(one -> one.name().equals(label))
                .forEach(one -> out.element(Names.jsdl(element), one.text()));
    }

    private void writeLabel(String label, String element) {
        label(label).ifPresent(text -> out.element(Names.jsdl(element), text));
    }

    private void writeIdentification() {
        List<String> of = List.of(Labels.JOB_NAME, Labels.DESCRIPTION, Labels.ANNOTATION, Labels.PROJECT);
        String project = job.project();
        if (project == null && labels.stream().noneMatch(label -> of.contains(label.name()))) {
            return;
        }
        out.open(Names.jsdl("JobIdentification"));
        writeLabel(Labels.JOB_NAME, "JobName");
        writeLabel(Labels.DESCRIPTION, "Description");
        writeLabels(Labels.ANNOTATION, "JobAnnotation");
        if (project != null && !project.isBlank()) {
            out.element(Names.jsdl("JobProject"), project);
        }
        writeLabels(Labels.PROJECT, "JobProject");
        out.close();
    }

    private void writeApplication() {
        out.open(Names.jsdl("Application"));
        writeLabel(Labels.APPLICATION_NAME, "ApplicationName");
        writeLabel(Labels.APPLICATION_VERSION, "ApplicationVersion");
        writeLabel(Labels.APPLICATION_DESCRIPTION, "Description");
        boolean isParallel = job.jobType() == JobType.MPI;
        out.open(isParallel ? Names.of(Names.SPMD, "SPMDApplication") : Names.of(Names.POSIX, "POSIXApplication"));
        writePosix("Executable", job.executable());
        job.arguments().forEach(argument -> writePosix("Argument", argument));
        writePosix("Input", job.stdin());
        writePosix("Output", job.stdout());
        writePosix("Error", job.stderr());
        writePosix("WorkingDirectory", job.directory());
        if (isEnvironmentPlain()) {
            job.environment()
                    .forEach(variable -> out.open(Names.of(Names.POSIX, "Environment"))
                            .attribute("name", variable.name())
                            .text(variable.value())
                            .close());
        }
        if (isParallel) {
            out.element(Names.of(Names.SPMD, "NumberOfProcesses"), Integer.toString(job.count()));
            if (form.counts()) {
                writeCount(Names.SPMD, "ProcessesPerHost", resources.slotsPerHost());
                writeCount(Names.SPMD, "ThreadsPerProcess", resources.threadsPerProcess());
            }
            out.element(
                    Names.of(Names.SPMD, "SPMDVariation"),
                    label(Labels.VARIATION).orElse(MPI));
        } else {
            Limits.written(job).forEach(limit -> out.element(limit.name(), limit.value()));
        }
        out.close();
        out.close();
    }

    /** The schema takes fewer names than systems do. */
    private boolean isEnvironmentPlain() {
        return !own.contains("Environment")
                && job.environment().stream()
                        .allMatch(variable -> variable.name().matches(NC_NAME));
    }

    private void writePosix(String name, @Nullable String text) {
        if (text != null) {
            out.element(Names.of(Names.POSIX, name), text);
        }
    }

    private void writeCount(String namespace, String name, @Nullable Integer count) {
        if (count != null) {
            out.element(Names.of(namespace, name), Integer.toString(count));
        }
    }

    private void writeResources() {
        boolean isParallel = job.jobType() == JobType.MPI;
        Optional<String> system =
                Optional.ofNullable(resources.operatingSystem()).flatMap(Hardware::systemName);
        Optional<String> architecture =
                Optional.ofNullable(resources.architecture()).flatMap(Hardware::architectureName);
        out.open(Names.jsdl("Resources"));
        if (!resources.hosts().isEmpty()) {
            out.open(Names.jsdl("CandidateHosts"));
            resources.hosts().forEach(host -> out.element(Names.jsdl("HostName"), host));
            out.close();
        }
        if (resources.wholeNodes()) {
            out.element(Names.jsdl("ExclusiveExecution"), "true");
        }
        system.ifPresent(name -> out.open(Names.jsdl("OperatingSystem"))
                .open(Names.jsdl("OperatingSystemType"))
                .element(Names.jsdl("OperatingSystemName"), name)
                .close()
                .close());
        architecture.ifPresent(name -> out.open(Names.jsdl("CPUArchitecture"))
                .element(Names.jsdl("CPUArchitectureName"), name)
                .close());
        if (job.maxCpuTime() != null && !job.maxCpuTime().isZero()) {
            writeRange(
                    "IndividualCPUTime",
                    "UpperBoundedRange",
                    job.maxCpuTime().plusNanos(999_999_999).toSeconds());
        }
        boolean isCounted = form.counts() && !isParallel;
        if (isCounted) {
            writeExact(
                    "IndividualCPUCount",
                    resources.slotsPerHost() != null ? resources.slotsPerHost() : resources.threadsPerProcess());
        }
        if (form.counts()) {
            writeExact("TotalCPUCount", isParallel ? parallelSlots() : resources.slots());
        }
        if (resources.memoryMiB() != null && resources.memoryMiB() < 1L << 40) {
            writeRange("TotalPhysicalMemory", "LowerBoundedRange", resources.memoryMiB() << 20);
        }
        if (form.counts()) {
            writeExact("TotalResourceCount", job.hostCount());
        }
        out.close();
    }

    /** Processors of all slots. */
    private @Nullable Integer parallelSlots() {
        Integer slots = resources.slots();
        Integer threads = resources.threadsPerProcess();
        return slots == null || threads == null || (long) slots * threads > Integer.MAX_VALUE
                ? slots
                : Integer.valueOf(slots * threads);
    }

    private void writeExact(String name, @Nullable Integer value) {
        if (value != null) {
            writeRange(name, "Exact", value);
        }
    }

    private void writeRange(String name, String kind, long value) {
        out.open(Names.jsdl(name))
                .element(Names.jsdl(kind), Long.toString(value))
                .close();
    }

    private void writeFiles() {
        for (Transfer file : job.transfers().stageIn()) {
            writeFile(file.destination(), "Source", file.source(), false, flag(file));
        }
        for (Transfer file : job.transfers().stageOut()) {
            writeFile(file.source(), "Target", file.destination(), false, flag(file));
        }
        job.transfers().cleanUp().forEach(file -> writeFile(file, "", "", true, CreationFlag.OVERWRITE.word()));
    }

    private static String flag(Transfer file) {
        return CreationFlag.of(file.options().getOrDefault(CreationFlag.OPTION, ""))
                .orElse(CreationFlag.OVERWRITE)
                .word();
    }

    private void writeFile(String local, String end, String uri, boolean isDeleted, String flag) {
        out.open(Names.jsdl("DataStaging"));
        String path = path(local).orElse(local);
        Optional<Map.Entry<String, String>> fileSystem = fileSystems.of(path);
        out.element(
                Names.jsdl("FileName"),
                fileSystem.map(of -> FileSystems.relative(of.getValue(), path)).orElse(path));
        fileSystem.ifPresent(of -> out.element(Names.jsdl("FilesystemName"), of.getKey()));
        out.element(Names.jsdl("CreationFlag"), flag);
        out.element(Names.jsdl("DeleteOnTermination"), Boolean.toString(isDeleted));
        if (!end.isEmpty()) {
            out.open(Names.jsdl(end)).element(Names.jsdl("URI"), uri).close();
        }
        out.close();
    }

    /** The path that a {@code file:} URL of this machine means. */
    private static Optional<String> path(String url) {
        Function<URI, Optional<String>> of = uri -> "file".equals(uri.getScheme())
                        && uri.getRawAuthority() == null
                        && uri.getRawPath() != null
                        && uri.getRawPath().startsWith("/")
                ? Optional.of(FileNames.decoded(uri.getRawPath()))
                : Optional.empty();
        try {
            return of.apply(new URI(url));
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty(); // then it is said by a word of ours
        }
    }
}
