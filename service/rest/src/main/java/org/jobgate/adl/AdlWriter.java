// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static java.util.Objects.requireNonNullElse;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.Gpus;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.job.Mail;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resources;
import org.jspecify.annotations.Nullable;

/** Writes an activity as ADL that {@link AdlReader} reads as the same. What ADL has no words for is named in a comment. */
public final class AdlWriter {

    private static final Map<String, String> PLATFORMS =
            Map.of("x86_64", "amd64", "i386", "i386", "ia64", "itanium", "ppc", "powerpc", "sparc", "sparc");
    private static final Map<String, String> FAMILIES =
            Map.of("Linux", "linux", "Darwin", "macosx", "SunOS", "solaris", "Windows", "windows");

    private final AdlText out = new AdlText();
    private final List<String> unsaid = new ArrayList<>();

    private AdlWriter() {}

    /** The activity as a document. */
    public static String write(Activity activity) {
        return new AdlWriter().document(activity);
    }

    /** The activity as a document; empty if ADL cannot express a part of it. */
    public static Optional<String> writeWhole(Activity activity) {
        AdlWriter writer = new AdlWriter();
        String text = writer.document(activity);
        return writer.unsaid.isEmpty() ? Optional.of(text) : Optional.empty();
    }

    private String document(Activity activity) {
        JobDescription job = activity.description();
        Resources resources = requireNonNullElse(job.resources(), Resources.NONE);
        out.begin();
        if (activity.name() != null) {
            out.open("ActivityIdentification");
            out.text("Name", activity.name());
            out.close("ActivityIdentification");
        }
        application(activity, job, resources);
        resources(activity, job, resources);
        staging(activity, job);
        leftOut(job, resources);
        return out.end(unsaid);
    }

    private void application(Activity activity, JobDescription job, Resources resources) {
        out.open("Application");
        out.open("Executable");
        out.text("Path", job.executable());
        job.arguments().forEach(argument -> out.text("Argument", argument));
        text("FailIfExitCodeNotEqualTo", activity.successCode());
        out.close("Executable");
        command("PreExecutable", resources.preCommand());
        command("PostExecutable", resources.postCommand());
        text("Input", job.stdin());
        text("Output", job.stdout());
        text("Error", job.stderr());
        job.environment().forEach(variable -> environment(variable.name(), variable.value()));
        if (activity.submissionKey() != null) {
            environment(ActivityDraft.KEY_VARIABLE, activity.submissionKey());
        }
        text("ExpirationTime", activity.startBefore());
        text("WipeTime", activity.keepFor());
        mail(resources.mail());
        out.close("Application");
    }

    private void environment(String name, String value) {
        out.open("Environment");
        out.text("Name", name);
        out.text("Value", value);
        out.close("Environment");
    }

    private void command(String name, List<String> command) {
        if (command.isEmpty()) {
            return;
        }
        List<String> words = Unfailing.inner(command);
        out.open(name);
        out.text("Path", words.getFirst());
        words.subList(1, words.size()).forEach(argument -> out.text("Argument", argument));
        if (name.equals("PreExecutable") && !Unfailing.isUnfailing(command)) {
            out.text("FailIfExitCodeNotEqualTo", "0");
        }
        out.close(name);
    }

    private void mail(@Nullable Mail mail) {
        if (mail == null) {
            return;
        }
        out.open("Notification");
        out.text("Protocol", "email");
        mail.addresses().forEach(address -> out.text("Recipient", address));
        if (mail.events().contains(Mail.Event.STARTED)) {
            out.text("OnState", "PROCESSING");
        }
        if (mail.events().contains(Mail.Event.ENDED) || mail.events().contains(Mail.Event.FAILED)) {
            out.text("OnState", "TERMINAL");
        }
        out.close("Notification");
    }

    private void resources(Activity activity, JobDescription job, Resources resources) {
        out.open("Resources");
        if (resources.operatingSystem() != null) {
            String family = FAMILIES.get(resources.operatingSystem());
            if (family == null) {
                unsaid.add("operating_system");
            } else {
                out.open("OperatingSystem");
                out.text("Family", family);
                out.close("OperatingSystem");
            }
        }
        if (resources.architecture() != null) {
            String platform = PLATFORMS.get(resources.architecture());
            if (platform == null) {
                unsaid.add("architecture");
            } else {
                out.text("Platform", platform);
            }
        }
        if (activity.description().credential(CredentialUse.JOB).isPresent()) {
            out.open("RuntimeEnvironment");
            out.text("Name", "ENV/PROXY");
            out.close("RuntimeEnvironment");
        }
        if (resources.gpus() != null) {
            out.text("Coprocessor", "CUDA");
        }
        slots(job, resources);
        text("QueueName", job.queue());
        text(
                "IndividualCPUTime",
                resources.limits() == null || resources.limits().cpuTime() == null
                        ? null
                        : resources.limits().cpuTime().toSeconds());
        text("TotalCPUTime", job.maxCpuTime() == null ? null : job.maxCpuTime().toSeconds());
        text("WallTime", job.wallTimeLimit().map(java.time.Duration::toSeconds).orElse(null));
        out.close("Resources");
    }

    private void slots(JobDescription job, Resources resources) {
        boolean isMpi = job.jobType() == JobType.MPI;
        int threads = requireNonNullElse(resources.threadsPerProcess(), 1);
        int slots = isMpi ? job.count() : requireNonNullElse(resources.slots(), threads);
        Integer each = null;
        if (isMpi && job.hostCount() != null && slots % job.hostCount() == 0) {
            each = slots / job.hostCount();
        } else if (!isMpi) {
            Integer perHost = resources.slotsPerHost();
            each = resources.slots() == null ? Integer.valueOf(slots) : perHost;
        }
        if (isMpi || (resources.slots() != null && resources.threadsPerProcess() != null)) {
            out.open("ParallelEnvironment");
            if (isMpi) {
                out.text("Type", "MPI");
            }
            text("ThreadsPerProcess", resources.threadsPerProcess());
            out.close("ParallelEnvironment");
        }
        if (resources.memoryPerSlotMiB() != null) {
            out.text("IndividualPhysicalMemory", Long.toString(resources.memoryPerSlotMiB() << 20));
        } else if (job.maxMemoryMiB() != null && job.maxMemoryMiB() <= Long.MAX_VALUE >> 20) {
            out.text(
                    "IndividualPhysicalMemory",
                    Long.toString((job.maxMemoryMiB() << 20) / Math.max(1, isMpi ? 1 : slots)));
        }
        if (slots > 1 || isMpi || resources.wholeNodes()) {
            out.open("SlotRequirement");
            out.text("NumberOfSlots", Integer.toString(slots));
            text("SlotsPerHost", each);
            if (resources.wholeNodes()) {
                out.text("ExclusiveExecution", "true");
            }
            out.close("SlotRequirement");
        }
    }

    private void staging(Activity activity, JobDescription job) {
        out.open("DataStaging");
        if (activity.pushesMore()) {
            out.text("ClientDataPush", "true");
        }
        job.credential(CredentialUse.FILES).map(NamedCredential::key).ifPresent(out::delegation);
        for (Activity.Upload file : activity.uploads()) {
            out.open("InputFile");
            out.text("Name", file.name());
            if (file.isProgram()) {
                out.text("IsExecutable", "true");
            }
            out.close("InputFile");
        }
        for (Activity.FileUrl file : activity.fetched()) {
            out.open("InputFile");
            out.text("Name", file.name());
            out.open("Source");
            out.text("URI", file.url());
            out.close("Source");
            out.close("InputFile");
        }
        for (String name : activity.kept()) {
            out.open("OutputFile");
            out.text("Name", name);
            out.close("OutputFile");
        }
        for (Activity.FileUrl file : activity.sent()) {
            out.open("OutputFile");
            out.text("Name", file.name());
            out.open("Target");
            out.text("URI", file.url());
            if (Boolean.TRUE.equals(job.stageOutOnFailure())) {
                out.text("UseIfFailure", "true");
            }
            out.close("Target");
            out.close("OutputFile");
        }
        out.close("DataStaging");
    }

    private void text(String name, @Nullable Object value) {
        if (value != null) {
            out.text(name, value.toString());
        }
    }

    private void leftOut(JobDescription job, Resources resources) {
        unsaid("project", job.project() != null);
        unsaid("library path", !job.libraryPath().isEmpty());
        unsaid("least memory", job.minMemoryMiB() != null);
        unsaid("place of the hold", job.holdAt() != null && job.holdAt() != JobState.STAGE_IN);
        unsaid("extensions", !job.extensions().isEmpty());
        unsaid("sub-jobs", job.isMulti());
        unsaid("transfers alone, without an executable", OnlyTransfers.is(job));
        unsaid("number of processes", job.jobType() != JobType.MPI && job.count() > 1);
        unsaid("memory", resources.memoryMiB() != null);
        unsaid("hosts", !resources.hosts().isEmpty());
        unsaid("node_features", !resources.nodeFeatures().isEmpty());
        unsaid("reservation", resources.reservation() != null);
        unsaid("graphics processors", resources.gpus() != null && !new Gpus(1, null, null).equals(resources.gpus()));
        unsaid("limits of processes", resources.limits() != null && !isCpuTime(resources.limits()));
        unsaid("output while it runs", job.incrementalOutput() != null);
        unsaid("hold once more", job.holdAgain() != null);
        unsaid("earlier jobs that it waits for", !job.after().isEmpty());
        unsaid("directories of a Chirp server", job.chirp() != null);
    }

    private static boolean isCpuTime(ProcessLimits limits) {
        return new ProcessLimits(limits.cpuTime(), null, null, null, null, null).equals(limits);
    }

    private void unsaid(String what, boolean isSaid) {
        if (isSaid) {
            unsaid.add(what);
        }
    }
}
