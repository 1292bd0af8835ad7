// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static java.util.Objects.requireNonNullElse;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Extension;
import org.jobgate.job.Gpus;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.job.Mail;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.ProcessLimits;
import org.jobgate.jobs.FilePassword;
import org.jspecify.annotations.Nullable;

/**
 * What jobs here can ask for beyond the language, as elements of our namespace inside {@code jg:Job}, a child of the JobDescription. A writer
 * uses them for what the language's own elements cannot say of a job that came by another door.
 */
final class OwnWords {

    static final List<OwnWord> ALL = List.of(
            OwnWord.text("Queue", JobDescription::queue, (draft, text) -> draft.job.queue(text)),
            OwnWord.text("Project", JobDescription::project, (draft, text) -> draft.job.project(text)),
            OwnWord.text("Directory", JobDescription::directory, (draft, text) -> draft.job.directory(text)),
            OwnWord.text("Input", JobDescription::stdin, (draft, text) -> draft.job.stdin(text)),
            OwnWord.text("Output", JobDescription::stdout, (draft, text) -> draft.job.stdout(text)),
            OwnWord.text("Error", JobDescription::stderr, (draft, text) -> draft.job.stderr(text)),
            OwnWord.texts("LibraryPath", JobDescription::libraryPath, (draft, texts) -> draft.job.libraryPath(texts)),
            new OwnWord("Environment", OwnWords::environment, OwnWords::readEnvironment),
            OwnWord.choice(
                    "JobType",
                    JobType.class,
                    JobDescription::jobType,
                    (draft, type) -> draft.job.jobType(requireNonNullElse(type, JobType.SINGLE))),
            OwnWord.count(
                    "Count", JobDescription::count, (draft, count) -> draft.job.count(requireNonNullElse(count, 1))),
            OwnWord.count("HostCount", JobDescription::hostCount, (draft, count) -> draft.job.hostCount(count)),
            OwnWord.time("MaxTime", JobDescription::maxTime, (draft, time) -> draft.job.maxTime(time)),
            OwnWord.time("MaxWallTime", JobDescription::maxWallTime, (draft, time) -> draft.job.maxWallTime(time)),
            OwnWord.time("MaxCpuTime", JobDescription::maxCpuTime, (draft, time) -> draft.job.maxCpuTime(time)),
            OwnWord.number("MaxMemory", JobDescription::maxMemoryMiB, (draft, size) -> draft.job.maxMemoryMiB(size)),
            OwnWord.number("MinMemory", JobDescription::minMemoryMiB, (draft, size) -> draft.job.minMemoryMiB(size)),
            OwnWord.choice("HoldAt", JobState.class, JobDescription::holdAt, (draft, state) -> draft.job.holdAt(state)),
            OwnWord.choice(
                    "HoldAgain",
                    JobState.class,
                    JobDescription::holdAgain,
                    (draft, state) -> draft.job.holdAgain(state)),
            OwnWord.truth(
                    "StageOutOnFailure",
                    JobDescription::stageOutOnFailure,
                    (draft, truth) -> draft.job.stageOutOnFailure(truth)),
            OwnWord.truth(
                    "IncrementalOutput",
                    JobDescription::incrementalOutput,
                    (draft, truth) -> draft.job.incrementalOutput(truth)),
            new OwnWord("Credentials", OwnWords::credentials, OwnWords::readCredentials),
            new OwnWord(
                    "Files",
                    job -> OwnFiles.written(job.transfers()),
                    (draft, node) -> draft.job.transfers(OwnFiles.read(node))),
            new OwnWord("Extensions", OwnWords::extensions, OwnWords::readExtensions),
            new OwnWord(OwnNeeds.CHIRP, OwnNeeds::chirp, OwnNeeds::readChirp),
            new OwnWord(OwnNeeds.AFTER, OwnNeeds::after, OwnNeeds::readAfter),
            OwnWord.count("Slots", job -> Draft.resources(job).slots(), (draft, count) -> draft.resources.slots(count)),
            OwnWord.count(
                    "SlotsPerHost",
                    job -> Draft.resources(job).slotsPerHost(),
                    (draft, count) -> draft.resources.slotsPerHost(count)),
            OwnWord.count(
                    "ThreadsPerProcess",
                    job -> Draft.resources(job).threadsPerProcess(),
                    (draft, count) -> draft.resources.threadsPerProcess(count)),
            OwnWord.truth(
                    "WholeNodes",
                    job -> Draft.resources(job).wholeNodes(),
                    (draft, truth) -> draft.resources.wholeNodes(requireNonNullElse(truth, false))),
            new OwnWord("Gpus", OwnWords::gpus, OwnWords::readGpus),
            OwnWord.number(
                    "MemoryPerSlot",
                    job -> Draft.resources(job).memoryPerSlotMiB(),
                    (draft, size) -> draft.resources.memoryPerSlotMiB(size)),
            OwnWord.number(
                    "Memory",
                    job -> Draft.resources(job).memoryMiB(),
                    (draft, size) -> draft.resources.memoryMiB(size)),
            new OwnWord("Limits", OwnWords::limits, OwnWords::readLimits),
            OwnWord.texts(
                    "NodeFeatures",
                    job -> Draft.resources(job).nodeFeatures(),
                    (draft, names) -> draft.resources.nodeFeatures(names)),
            OwnWord.texts("Hosts", job -> Draft.resources(job).hosts(), (draft, names) -> draft.resources.hosts(names)),
            OwnWord.text(
                    "Architecture",
                    job -> Draft.resources(job).architecture(),
                    (draft, name) -> draft.resources.architecture(name)),
            OwnWord.text(
                    "OperatingSystem",
                    job -> Draft.resources(job).operatingSystem(),
                    (draft, name) -> draft.resources.operatingSystem(name)),
            OwnWord.text(
                    "Reservation",
                    job -> Draft.resources(job).reservation(),
                    (draft, name) -> draft.resources.reservation(name)),
            OwnWord.texts(
                    "PreCommand",
                    job -> Draft.resources(job).preCommand(),
                    (draft, words) -> draft.resources.preCommand(words)),
            OwnWord.texts(
                    "PostCommand",
                    job -> Draft.resources(job).postCommand(),
                    (draft, words) -> draft.resources.postCommand(words)),
            new OwnWord("Mail", OwnWords::mail, OwnWords::readMail));

    private OwnWords() {}

    /** The job with what the element says in the place of what the rest of the document says. */
    static JobDescription read(Node element, JobDescription job) {
        Parts parts = new Parts(element);
        Draft draft = new Draft(job);
        for (OwnWord word : ALL) {
            Optional<Node> node = parts.one(Names.own(word.name()));
            if (node.isPresent() && word.name().equals("Files") && FilePassword.areIn(job)) {
                throw JsdlFaults.invalid(
                        node.get(), "", "files with names and passwords of their own are said by DataStaging");
            }
            node.ifPresent(one -> word.read().accept(draft, one));
        }
        parts.end();
        return draft.build();
    }

    private static Extension environment(JobDescription job) {
        return OwnWord.tree(
                "Environment",
                job.environment().stream()
                        .map(variable -> OwnWord.leaf("Variable", variable.value(), "name", variable.name()))
                        .toList());
    }

    private static void readEnvironment(Draft draft, Node node) {
        draft.job.environment(OwnWord.items(node, "Variable").stream()
                .map(variable ->
                        new EnvironmentVariable(variable.attribute("name").orElse(""), Parts.text(variable, "name")))
                .toList());
    }

    private static Extension credentials(JobDescription job) {
        return OwnWord.tree(
                "Credentials",
                job.credentials().stream()
                        .map(one -> OwnWord.leaf("Credential", one.key(), "use", one.use(), "address", one.address()))
                        .toList());
    }

    private static void readCredentials(Draft draft, Node node) {
        draft.job.credentials(OwnWord.items(node, "Credential").stream()
                .map(one -> new NamedCredential(
                        OwnWord.choice(one, one.attribute("use").orElse(""), CredentialUse.class),
                        Parts.text(one, "use", "address"),
                        one.attribute("address").orElse(null)))
                .toList());
    }

    private static Extension extensions(JobDescription job) {
        return OwnWord.tree(
                "Extensions", job.extensions().stream().map(OwnWords::extension).toList());
    }

    private static Extension extension(Extension one) {
        List<Extension> inside = new ArrayList<>();
        one.attributes().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(attribute ->
                        inside.add(OwnWord.leaf("Attribute", attribute.getValue(), "name", attribute.getKey())));
        if (!one.text().isEmpty()) {
            inside.add(OwnWord.leaf("Text", one.text()));
        }
        one.children().forEach(child -> inside.add(extension(child)));
        return new Extension("Extension", Map.of("name", one.name()), "", inside);
    }

    private static void readExtensions(Draft draft, Node node) {
        draft.job.extensions(OwnWord.items(node, "Extension").stream()
                .map(OwnWords::readExtension)
                .toList());
    }

    private static Extension readExtension(Node node) {
        Parts parts = new Parts(node);
        String name = parts.attribute("name").orElse("");
        Map<String, String> attributes = new LinkedHashMap<>();
        for (Node attribute : parts.many(Names.own("Attribute"))) {
            attributes.put(attribute.attribute("name").orElse(""), Parts.text(attribute, "name"));
        }
        String text = parts.one(Names.own("Text")).map(Parts::text).orElse("");
        List<Extension> children = parts.many(Names.own("Extension")).stream()
                .map(OwnWords::readExtension)
                .toList();
        parts.end();
        return new Extension(name, attributes, text, children);
    }

    private static Extension gpus(JobDescription job) {
        Gpus gpus = Draft.resources(job).gpus();
        return gpus == null
                ? OwnWord.leaf("Gpus", null)
                : OwnWord.leaf("Gpus", Integer.toString(gpus.number()), "model", gpus.model(), "mode", gpus.mode());
    }

    private static void readGpus(Draft draft, Node node) {
        if (node.text().isBlank()) {
            draft.resources.gpus(null);
            return;
        }
        int number = (int) Parts.number(node, 1, Integer.MAX_VALUE, "model", "mode");
        draft.resources.gpus(new Gpus(
                number,
                node.attribute("model").orElse(null),
                node.attribute("mode")
                        .map(mode -> OwnWord.choice(node, mode, Gpus.Mode.class))
                        .orElse(null)));
    }

    private static Extension limits(JobDescription job) {
        ProcessLimits limits = Draft.resources(job).limits();
        ProcessLimits given = limits == null ? ProcessLimits.NONE : limits;
        return OwnWord.leaf(
                "Limits",
                "",
                "cpuTime",
                given.cpuTime(),
                "fileSize",
                given.fileSizeBytes(),
                "coreSize",
                given.coreSizeBytes(),
                "stackSize",
                given.stackSizeBytes(),
                "openFiles",
                given.openFiles(),
                "processes",
                given.processes(),
                "dataSize",
                given.dataSizeBytes(),
                "lockedMemory",
                given.lockedMemoryBytes(),
                "addressSpace",
                given.addressSpaceBytes());
    }

    private static void readLimits(Draft draft, Node node) {
        Parts.text(
                node,
                "cpuTime",
                "fileSize",
                "coreSize",
                "stackSize",
                "openFiles",
                "processes",
                "dataSize",
                "lockedMemory",
                "addressSpace");
        ProcessLimits limits = new ProcessLimits(
                node.attribute("cpuTime")
                        .map(text -> OwnWord.duration(node, text))
                        .orElse(null),
                number(node, "fileSize"),
                number(node, "coreSize"),
                number(node, "stackSize"),
                integer(node, "openFiles"),
                integer(node, "processes"),
                number(node, "dataSize"),
                number(node, "lockedMemory"),
                number(node, "addressSpace"));
        draft.resources.limits(limits.equals(ProcessLimits.NONE) ? null : limits);
    }

    private static @Nullable Long number(Node node, String attribute) {
        return node.attribute(attribute)
                .map(text -> {
                    if (!text.matches("[0-9]{1,18}")) {
                        throw JsdlFaults.invalid(node, text, attribute + " must be a whole number");
                    }
                    return Long.valueOf(text);
                })
                .orElse(null);
    }

    private static @Nullable Integer integer(Node node, String attribute) {
        Long number = number(node, attribute);
        return number == null ? null : Integer.valueOf((int) Math.min(number, Integer.MAX_VALUE));
    }

    private static Extension mail(JobDescription job) {
        Mail mail = Draft.resources(job).mail();
        List<Extension> inside = new ArrayList<>();
        if (mail != null) {
            mail.addresses().forEach(address -> inside.add(OwnWord.leaf("Address", address)));
            mail.events().forEach(event -> inside.add(OwnWord.leaf("Event", event.name())));
        }
        return OwnWord.tree("Mail", inside);
    }

    private static void readMail(Draft draft, Node node) {
        Parts parts = new Parts(node);
        List<String> addresses =
                parts.many(Names.own("Address")).stream().map(Parts::word).toList();
        List<Mail.Event> events = parts.many(Names.own("Event")).stream()
                .map(event -> OwnWord.choice(event, Parts.word(event), Mail.Event.class))
                .toList();
        parts.end();
        draft.resources.mail(addresses.isEmpty() && events.isEmpty() ? null : new Mail(addresses, events));
    }
}
