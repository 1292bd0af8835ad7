// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static java.util.Objects.requireNonNullElse;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resources;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Activity} while its description is read, whatever the language. The methods check texts, names and limits; the names of parts are
 * those of the language, for the faults.
 */
public final class ActivityDraft {

    /** The variable by which HTCondor's submitters say the key of a submission. */
    public static final String KEY_VARIABLE = "GRAM_CLIENT_KEY";

    /** Asks for a delegated proxy in the job, rather than for software. */
    private static final int LONGEST_KEY = 256;

    private final ActivityRules rules;
    private final ActivityFaults faults;
    private final List<String> arguments = new ArrayList<>();
    private final List<EnvironmentVariable> environment = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final ActivityFiles files;
    private final SlotsDraft slots = new SlotsDraft();
    private final ExtraPrograms extra;
    private final Resources.Builder resources = Resources.builder();
    private @Nullable String executable;
    private @Nullable String stdin;
    private @Nullable String stdout;
    private @Nullable String stderr;
    private @Nullable String name;
    private @Nullable String queue;
    private @Nullable String submissionKey;
    private @Nullable String delegation;
    private @Nullable Integer successCode;
    private @Nullable Instant startBefore;
    private @Nullable Duration keepFor;
    private @Nullable Duration wallTime;
    private @Nullable Duration cpuTime;
    private @Nullable Duration processCpuTime;
    private boolean needsProxy;
    private long bytes;

    public ActivityDraft(ActivityRules rules, ActivityFaults faults) {
        this.rules = rules;
        this.faults = faults;
        this.extra = new ExtraPrograms(faults);
        this.files = new ActivityFiles(faults, rules.limits().arguments());
    }

    public ActivityRules rules() {
        return rules;
    }

    /** The input and output files. */
    public ActivityFiles files() {
        return files;
    }

    /** The slots, processes and hosts. */
    public SlotsDraft slots() {
        return slots;
    }

    /** What goes to the LRM as it is said. */
    public Resources.Builder resources() {
        return resources;
    }

    /** Something that has no effect here, as a whole sentence. */
    public void note(String sentence) {
        if (!notes.contains(sentence)) {
            notes.add(sentence);
        }
    }

    /** The text, if it is within the limits. */
    public String text(String part, String text) {
        if (text.indexOf('\0') >= 0) {
            throw faults.invalid(part, text, "it must not hold a NUL character");
        }
        long length = text.getBytes(StandardCharsets.UTF_8).length;
        rules.limits().textBytes().check(length, "Bytes of " + part);
        bytes += length;
        rules.limits().descriptionBytes().check(bytes, "Bytes of the job description");
        return text;
    }

    /** A program of a session directory or of the machine. */
    public String program(String part, String path) {
        SessionNames.bare(faults, part, path);
        return path.startsWith("/") ? text(part, path) : SessionNames.checked(faults, part, text(part, path));
    }

    public void executable(String part, String path) {
        executable = program(part, path);
    }

    /** The program, if it has been said. */
    public Optional<String> executable() {
        return Optional.ofNullable(executable);
    }

    public void argument(String part, String argument) {
        arguments.add(text(part, argument));
        rules.limits().arguments().check(arguments.size(), "Arguments of the job");
    }

    public void stdin(String part, String file) {
        stdin = program(part, file);
    }

    public Optional<String> stdin() {
        return Optional.ofNullable(stdin);
    }

    public void stdout(String part, String file) {
        stdout = program(part, file);
    }

    public Optional<String> stdout() {
        return Optional.ofNullable(stdout);
    }

    public void stderr(String part, String file) {
        stderr = program(part, file);
    }

    public Optional<String> stderr() {
        return Optional.ofNullable(stderr);
    }

    /** A variable; {@link #KEY_VARIABLE} becomes the submission's key. */
    public void environment(String part, String variable, String value) {
        if (variable.equals(KEY_VARIABLE)) {
            boolean isGood = !value.isEmpty()
                    && value.length() <= LONGEST_KEY
                    && value.chars().noneMatch(Character::isISOControl);
            if (!isGood) {
                throw faults.invalid(
                        part,
                        KEY_VARIABLE,
                        "as the key of a submission it must have 1 to " + LONGEST_KEY + " plain characters");
            }
            if (submissionKey != null && !submissionKey.equals(value)) {
                throw faults.invalid(part, KEY_VARIABLE, "it is given twice, with two values");
            }
            submissionKey = value;
            return;
        }
        SessionNames.bare(faults, part, variable);
        try {
            environment.add(new EnvironmentVariable(text(part, variable), text(part, value)));
        } catch (IllegalArgumentException e) {
            throw faults.invalid(part, variable, String.valueOf(e.getMessage()));
        }
        rules.limits().environment().check(environment.size(), "Environment variables of the job");
    }

    public void name(String text) {
        name = text;
    }

    public void queue(String part, String text) {
        SessionNames.bare(faults, part, text);
        queue = text(part, text);
    }

    /** The delegated credential of the job's files. */
    public void delegation(String part, String id) {
        SessionNames.bare(faults, part, id);
        if (id.length() > LONGEST_KEY || id.chars().anyMatch(Character::isISOControl)) {
            throw faults.invalid(part, id, "it must be the id of a delegated credential");
        }
        if (delegation != null && !delegation.equals(id)) {
            throw faults.unsupported(
                    part,
                    "all files of a job are moved with one delegated credential, and it names two",
                    "Name the same DelegationID everywhere.");
        }
        delegation = id;
    }

    public void successCode(int code) {
        successCode = code;
    }

    /** The job is not to start after that time. */
    public void startBefore(String part, Instant time, boolean isOptional) {
        if (!time.isAfter(rules.clock().instant())) {
            throw faults.invalid(part, time.toString(), "that time is over");
        }
        if (rules.startsInTime()) {
            startBefore = time;
        } else if (isOptional) {
            note(part + " has no effect here: a job waits for its start as long as it takes.");
        } else {
            throw faults.unsupported(
                    part,
                    "a job is not ended because it has not started in time",
                    "Leave it out, or mark it as optional.");
        }
    }

    /** The job is not to start before that time. */
    public void startAfter(String part, Instant time) {
        if (time.isAfter(rules.clock().instant())) {
            throw faults.unsupported(part, "a job cannot be kept until " + time, "Submit the job at that time.");
        }
    }

    public void keepFor(Duration time) {
        keepFor = time;
    }

    public void wallTime(Duration time) {
        wallTime = time;
    }

    /** The processor time of all processes together. */
    public void cpuTime(Duration time) {
        cpuTime = time;
    }

    /** The processor time of each process. */
    public void processCpuTime(Duration time) {
        processCpuTime = time;
    }

    /** Memory of one slot; less than the site's floor counts as not said. */
    public void memory(String part, long mebibytes) {
        if (mebibytes < Math.max(1, rules.memoryFloorMiB())) {
            note(part + " says " + mebibytes + " MiB; less than " + rules.memoryFloorMiB()
                    + " MiB counts as not said, and the queue's default holds.");
        } else {
            slots.memory(mebibytes);
        }
    }

    /** What runs before the job's program; without a code it must end with, whatever it ends with is good. */
    public void before(String part, List<String> command, @Nullable Integer code) {
        extra.before(part, command, code);
    }

    /** What runs after the job's program; whatever it ends with is good. */
    public void after(String part, List<String> command, @Nullable Integer code) {
        extra.after(part, command, code);
    }

    /** Software of the site. */
    public void runtimeEnvironment(
            String part, String wanted, @Nullable String version, List<String> options, boolean isOptional) {
        if (wanted.equalsIgnoreCase(RuntimeEnvironments.PROXY)) {
            needsProxy = true;
            return;
        }
        String whole = version == null ? wanted : wanted + "-" + version;
        Optional<RuntimeEnvironments.Setup> setup = rules.runtimeEnvironments().find(wanted, version);
        if (setup.isEmpty()) {
            if (isOptional) {
                note("The site has no runtime environment " + ActivityFaults.shown(whole)
                        + "; the description says that the job can do without it.");
                return;
            }
            throw faults.unsupported(
                    part,
                    "the site has no runtime environment " + ActivityFaults.shown(whole),
                    "Leave it out, or ask the site to set it up.");
        }
        environment.addAll(setup.get().environment());
        if (!setup.get().command().isEmpty()) {
            List<String> command = new ArrayList<>(setup.get().command());
            command.addAll(options);
            extra.before(part, command, 0);
        }
    }

    /** Everything together. */
    public Activity finish() {
        String program = executable;
        if (program == null) {
            throw faults.invalid("Executable", "", "it must be given");
        }
        if (needsProxy && delegation == null) {
            throw faults.invalid(
                    "RuntimeEnvironment",
                    RuntimeEnvironments.PROXY,
                    "it needs a DelegationID, whose credential the job gets");
        }
        files.checkPrograms(program);
        try {
            JobDescription.Builder job = JobDescription.builder(program);
            job.arguments(arguments)
                    .environment(environment)
                    .stdin(stdin)
                    .stdout(standard(stdout, "stdout"))
                    .stderr(standard(stderr, "stderr"))
                    .queue(queue)
                    .maxWallTime(wallTime)
                    .maxCpuTime(cpuTime)
                    .credentials(credentials())
                    .stageOutOnFailure(files.sendsOnFailure());
            if (files.isAwaited()) {
                job.holdAt(JobState.STAGE_IN);
            }
            if (processCpuTime != null) {
                resources.limits(new ProcessLimits(processCpuTime, null, null, null, null, null));
            }
            resources.preCommand(extra.first()).postCommand(extra.last());
            slots.put(faults, rules.limits().count(), job, resources);
            job.resources(resources.build());
            return new Activity(
                    job.build(),
                    name,
                    submissionKey,
                    files.uploads(),
                    files.pushesMore(),
                    files.fetched(),
                    files.kept(),
                    files.sent(),
                    successCode,
                    startBefore,
                    keepFor,
                    notes);
        } catch (IllegalArgumentException e) {
            throw ActivityFaults.unreadable("The job description cannot be used: "
                    + ActivityFaults.shown(String.valueOf(e.getMessage())) + ".");
        }
    }

    /** Clients fetch both files of every job, so that each has them; a file that the client brings under that name is not overwritten. */
    private String standard(@Nullable String said, String usual) {
        String free = usual;
        while (files.isInput(free)) {
            free = "_" + free;
        }
        return requireNonNullElse(said, free);
    }

    private List<NamedCredential> credentials() {
        if (delegation == null) {
            return List.of();
        }
        List<NamedCredential> named = new ArrayList<>();
        named.add(NamedCredential.of(CredentialUse.FILES, delegation));
        if (needsProxy) {
            named.add(NamedCredential.of(CredentialUse.JOB, delegation));
        }
        return named;
    }
}
