// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks for, whatever language it was said in. Absent means: the LRM's or the site's default.
 *
 * <p>Texts may hold any character but NUL; they reach {@code exec} byte for byte as UTF-8.
 *
 * @param executable a path, absolute or relative to the directory; empty where files are moved and nothing else is done ({@link OnlyTransfers})
 * @param directory the working directory; absent means the account's home
 * @param stdin absent means {@code /dev/null}; so do stdout and stderr
 * @param count how many processes, at least 1
 * @param maxMemoryMiB the most memory the job may use, in MiB
 * @param holdAt hold before the work of this state begins; must be holdable
 * @param holdAgain where the job is to be held after it was released from a hold before its files are fetched; absent for nowhere
 * @param stageOutOnFailure whether what is there of its output files is sent if it fails; absent where the site's rule is to count
 * @param incrementalOutput whether its output that goes to URLs is sent while it runs; absent where the site's rule is to count
 * @param credentials the delegated credentials that it names, at most one for each use. Two descriptions that differ only here ask for the same job: a client that repeats a submission may have delegated anew
 * @param subJobs the jobs that a multi-job consists of; then it has no executable of its own, which is empty. Empty for any other job
 * @param resources what it asks of its LRM beside its processes; absent: nothing
 * @param chirp directories of a Chirp server that it is to reach by a ticket; absent: none
 * @param after earlier jobs of its owner, named by their ids, that must be over before it begins. Empty for a multi-job and for its parts, of which
 *     {@link SubJob} says it
 */
public record JobDescription(
        String executable,
        @Nullable String directory,
        List<String> arguments,
        List<EnvironmentVariable> environment,
        @Nullable String stdin,
        @Nullable String stdout,
        @Nullable String stderr,
        int count,
        @Nullable Integer hostCount,
        JobType jobType,
        List<String> libraryPath,
        @Nullable String queue,
        @Nullable String project,
        @Nullable Duration maxTime,
        @Nullable Duration maxWallTime,
        @Nullable Duration maxCpuTime,
        @Nullable Long maxMemoryMiB,
        @Nullable Long minMemoryMiB,
        @Nullable JobState holdAt,
        @Nullable JobState holdAgain,
        @Nullable Boolean stageOutOnFailure,
        @Nullable Boolean incrementalOutput,
        TransferList transfers,
        List<Extension> extensions,
        List<NamedCredential> credentials,
        List<SubJob> subJobs,
        @Nullable Resources resources,
        @Nullable ChirpAccess chirp,
        List<After> after) {

    public JobDescription {
        requireNonNull(executable, "executable is null");
        requireNonNull(jobType, "jobType is null");
        requireNonNull(transfers, "transfers is null");
        arguments = List.copyOf(arguments);
        environment = List.copyOf(environment);
        libraryPath = List.copyOf(libraryPath);
        extensions = List.copyOf(extensions);
        credentials = NamedCredential.ordered(credentials);
        subJobs = List.copyOf(subJobs);
        after = List.copyOf(after);
        resources = Resources.NONE.equals(resources) ? null : resources;
        DescriptionRules.refuseParts(executable, transfers, subJobs, resources, chirp, after);
        if (count < 1) {
            throw new IllegalArgumentException("count is " + count + "; at least 1 is needed");
        }
        if (hostCount != null && hostCount < 1) {
            throw new IllegalArgumentException("hostCount is " + hostCount + "; at least 1 is needed");
        }
        if (holdAt != null && !holdAt.isHoldable()) {
            throw new IllegalArgumentException("a job cannot be held at " + holdAt);
        }
        if (holdAgain != null && (!holdAgain.isHoldable() || holdAgain == JobState.STAGE_IN)) {
            throw new IllegalArgumentException("a job cannot be held once more at " + holdAgain);
        }
        DescriptionRules.refuseNul(executable, "executable");
        DescriptionRules.refuseNul(directory, "directory");
        arguments.forEach(argument -> DescriptionRules.refuseNul(argument, "argument"));
        DescriptionRules.refuseNul(stdin, "stdin");
        DescriptionRules.refuseNul(stdout, "stdout");
        DescriptionRules.refuseNul(stderr, "stderr");
        libraryPath.forEach(path -> DescriptionRules.refuseNul(path, "libraryPath"));
        DescriptionRules.refuseNul(queue, "queue");
        DescriptionRules.refuseNul(project, "project");
    }

    /** A job of one process with these arguments and every default. */
    public static JobDescription of(String executable, String... arguments) {
        return builder(executable).arguments(List.of(arguments)).build();
    }

    /** A job that consists of these. */
    public static JobDescription multi(List<SubJob> subJobs, @Nullable JobState holdAt) {
        return builder("").subJobs(subJobs).holdAt(holdAt).build();
    }

    public static Builder builder(String executable) {
        return new Builder(executable);
    }

    /** The same description, to be changed. */
    public Builder toBuilder() {
        Builder builder = new Builder(executable);
        builder.directory = directory;
        builder.arguments = arguments;
        builder.environment = environment;
        builder.stdin = stdin;
        builder.stdout = stdout;
        builder.stderr = stderr;
        builder.count = count;
        builder.hostCount = hostCount;
        builder.jobType = jobType;
        builder.libraryPath = libraryPath;
        builder.queue = queue;
        builder.project = project;
        builder.maxTime = maxTime;
        builder.maxWallTime = maxWallTime;
        builder.maxCpuTime = maxCpuTime;
        builder.maxMemoryMiB = maxMemoryMiB;
        builder.minMemoryMiB = minMemoryMiB;
        builder.holdAt = holdAt;
        builder.holdAgain = holdAgain;
        builder.stageOutOnFailure = stageOutOnFailure;
        builder.incrementalOutput = incrementalOutput;
        builder.transfers = transfers;
        builder.extensions = extensions;
        builder.credentials = credentials;
        builder.subJobs = subJobs;
        builder.resources = resources;
        builder.chirp = chirp;
        builder.after = after;
        return builder;
    }

    /** The credential that is named for this use. */
    public Optional<NamedCredential> credential(CredentialUse use) {
        return credentials.stream().filter(named -> named.use() == use).findFirst();
    }

    /** Whether it consists of other jobs. */
    public boolean isMulti() {
        return !subJobs.isEmpty();
    }

    /** What of it says which job is wanted: all but the credentials. */
    public JobDescription withoutCredentials() {
        List<SubJob> bare = subJobs.stream()
                .map(sub -> sub.with(sub.description().withoutCredentials()))
                .toList();
        return toBuilder().credentials(List.of()).subJobs(bare).build();
    }

    /** How long it may run: {@code maxWallTime}, else {@code maxTime}. */
    public Optional<Duration> wallTimeLimit() {
        return Optional.ofNullable(maxWallTime != null ? maxWallTime : maxTime);
    }

    /** Collects the parts; {@link #build} checks them. */
    public static final class Builder {
        private String executable;
        private @Nullable String directory;
        private List<String> arguments = List.of();
        private List<EnvironmentVariable> environment = List.of();
        private @Nullable String stdin;
        private @Nullable String stdout;
        private @Nullable String stderr;
        private int count = 1;
        private @Nullable Integer hostCount;
        private JobType jobType = JobType.MULTIPLE;
        private List<String> libraryPath = List.of();
        private @Nullable String queue;
        private @Nullable String project;
        private @Nullable Duration maxTime;
        private @Nullable Duration maxWallTime;
        private @Nullable Duration maxCpuTime;
        private @Nullable Long maxMemoryMiB;
        private @Nullable Long minMemoryMiB;
        private @Nullable JobState holdAt;
        private @Nullable JobState holdAgain;
        private @Nullable Boolean stageOutOnFailure;
        private @Nullable Boolean incrementalOutput;
        private TransferList transfers = TransferList.NONE;
        private List<Extension> extensions = List.of();
        private List<NamedCredential> credentials = List.of();
        private List<SubJob> subJobs = List.of();
        private @Nullable Resources resources;
        private @Nullable ChirpAccess chirp;
        private List<After> after = List.of();

        private Builder(String executable) {
            this.executable = executable;
        }

        public Builder executable(String value) {
            this.executable = value;
            return this;
        }

        public Builder directory(@Nullable String value) {
            this.directory = value;
            return this;
        }

        public Builder arguments(List<String> value) {
            this.arguments = value;
            return this;
        }

        public Builder environment(List<EnvironmentVariable> value) {
            this.environment = value;
            return this;
        }

        public Builder stdin(@Nullable String value) {
            this.stdin = value;
            return this;
        }

        public Builder stdout(@Nullable String value) {
            this.stdout = value;
            return this;
        }

        public Builder stderr(@Nullable String value) {
            this.stderr = value;
            return this;
        }

        public Builder count(int value) {
            this.count = value;
            return this;
        }

        public Builder hostCount(@Nullable Integer value) {
            this.hostCount = value;
            return this;
        }

        public Builder jobType(JobType value) {
            this.jobType = value;
            return this;
        }

        public Builder libraryPath(List<String> value) {
            this.libraryPath = value;
            return this;
        }

        public Builder queue(@Nullable String value) {
            this.queue = value;
            return this;
        }

        public Builder project(@Nullable String value) {
            this.project = value;
            return this;
        }

        public Builder maxTime(@Nullable Duration value) {
            this.maxTime = value;
            return this;
        }

        public Builder maxWallTime(@Nullable Duration value) {
            this.maxWallTime = value;
            return this;
        }

        public Builder maxCpuTime(@Nullable Duration value) {
            this.maxCpuTime = value;
            return this;
        }

        public Builder maxMemoryMiB(@Nullable Long value) {
            this.maxMemoryMiB = value;
            return this;
        }

        public Builder minMemoryMiB(@Nullable Long value) {
            this.minMemoryMiB = value;
            return this;
        }

        public Builder holdAt(@Nullable JobState value) {
            this.holdAt = value;
            return this;
        }

        public Builder holdAgain(@Nullable JobState value) {
            this.holdAgain = value;
            return this;
        }

        public Builder stageOutOnFailure(@Nullable Boolean value) {
            this.stageOutOnFailure = value;
            return this;
        }

        public Builder incrementalOutput(@Nullable Boolean value) {
            this.incrementalOutput = value;
            return this;
        }

        public Builder transfers(TransferList value) {
            this.transfers = value;
            return this;
        }

        public Builder extensions(List<Extension> value) {
            this.extensions = value;
            return this;
        }

        public Builder credentials(List<NamedCredential> value) {
            this.credentials = value;
            return this;
        }

        public Builder subJobs(List<SubJob> value) {
            this.subJobs = value;
            return this;
        }

        public Builder resources(@Nullable Resources value) {
            this.resources = value;
            return this;
        }

        public Builder chirp(@Nullable ChirpAccess value) {
            this.chirp = value;
            return this;
        }

        public Builder after(List<After> value) {
            this.after = value;
            return this;
        }

        /**
         * The description.
         *
         * @throws IllegalArgumentException naming the part that is wrong, its value and the rule
         */
        public JobDescription build() {
            return new JobDescription(
                    executable,
                    directory,
                    arguments,
                    environment,
                    stdin,
                    stdout,
                    stderr,
                    count,
                    hostCount,
                    jobType,
                    libraryPath,
                    queue,
                    project,
                    maxTime,
                    maxWallTime,
                    maxCpuTime,
                    maxMemoryMiB,
                    minMemoryMiB,
                    holdAt,
                    holdAgain,
                    stageOutOnFailure,
                    incrementalOutput,
                    transfers,
                    extensions,
                    credentials,
                    subJobs,
                    resources,
                    chirp,
                    after);
        }
    }
}
