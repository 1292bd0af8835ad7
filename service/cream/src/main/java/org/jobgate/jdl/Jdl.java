// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.util.List;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.FaultException;
import org.jobgate.job.Gpus;
import org.jobgate.job.JobDescription;
import org.jspecify.annotations.Nullable;

/**
 * What a JDL text says, read and checked by {@link JdlReader}; {@link #description} makes a job of it for given places of its files.
 *
 * @param lrm {@code BatchSystem}; null where the text names none
 * @param queue {@code QueueName}; null where the text names none
 * @param input the files of {@code InputSandbox}, no two of one name
 * @param output the files of {@code OutputSandbox}
 * @param requirements what {@code CERequirements} asks for
 * @param perusal null where no file is to be looked at while the job runs
 * @param grid what else the text says of the grid around the job
 * @param ignored attributes that mean nothing here, in order of their names
 */
public record Jdl(
        @Nullable String lrm,
        @Nullable String queue,
        Program program,
        Streams streams,
        List<InputFile> input,
        List<OutputFile> output,
        Processors processors,
        CeRequirements requirements,
        @Nullable Perusal perusal,
        Grid grid,
        List<String> ignored) {

    public Jdl {
        input = List.copyOf(input);
        output = List.copyOf(output);
        ignored = List.copyOf(ignored);
    }

    /**
     * What runs. A relative name is a file of the InputSandbox.
     *
     * @param prologue run before the executable, with its arguments; empty for none
     * @param epilogue run after it; empty for none
     */
    public record Program(
            String executable,
            List<String> arguments,
            List<EnvironmentVariable> environment,
            List<String> prologue,
            List<String> epilogue) {
        public Program {
            arguments = List.copyOf(arguments);
            environment = List.copyOf(environment);
            prologue = List.copyOf(prologue);
            epilogue = List.copyOf(epilogue);
        }
    }

    /** Files of the program's input and output: {@code StdInput} may be absolute, the others are in the working directory. */
    public record Streams(
            @Nullable String input,
            @Nullable String output,
            @Nullable String error) {}

    /**
     * One file of the InputSandbox.
     *
     * @param name which it has in the working directory
     * @param url where it is fetched; null where the client uploads it
     */
    public record InputFile(
            String name, @Nullable String url, @Nullable String subject) {}

    /**
     * One file of the OutputSandbox.
     *
     * @param path below the working directory, or absolute; its last part may hold the wildcards {@code *}, {@code ?} and {@code [...]}
     * @param destination a URL; null where the file is kept here for the client
     * @param kept the path below the job's output directory; null where it goes to a URL
     */
    public record OutputFile(
            String path,
            @Nullable String destination,
            @Nullable String subject,
            @Nullable String kept) {

        /** Whether it may be any number of files. Then the destination is a directory, with a slash at its end or empty. */
        public boolean isPattern() {
            return JdlSandboxes.isPattern(path);
        }
    }

    /**
     * How many processors, and how they are spread.
     *
     * @param count {@code CpuNumber}, at least 1
     * @param perHost {@code SMPGranularity}
     * @param hosts {@code HostNumber}
     */
    public record Processors(
            int count,
            @Nullable Integer perHost,
            @Nullable Integer hosts,
            boolean wholeNodes,
            @Nullable Gpus gpus) {}

    /**
     * Files that are sent while the job runs.
     *
     * @param seconds between two slices
     * @param destination the URL of a directory
     * @param list the URL of a file that names the files, one on each line
     */
    public record Perusal(int seconds, SandboxUrl destination, SandboxUrl list) {}

    /**
     * What a JDL says of the grid around the job.
     *
     * @param jobId {@code edg_jobid}: the id that a workload management gave it
     * @param myProxy {@code MyProxyServer}
     * @param hlr {@code HLRLocation}: where the use of the job is accounted
     * @param maxOutputBytes {@code MaxOutputSandboxSize}; null for no bound
     */
    public record Grid(
            @Nullable String jobId,
            @Nullable String virtualOrganisation,
            @Nullable String myProxy,
            @Nullable String hlr,
            @Nullable Long maxOutputBytes) {}

    /** The names of the files that the client uploads before the job may start. */
    public List<String> uploads() {
        return input.stream()
                .filter(file -> file.url() == null)
                .map(InputFile::name)
                .toList();
    }

    /** Whether output is kept for the client to fetch. */
    public boolean keepsOutput() {
        return output.stream().anyMatch(file -> file.kept() != null);
    }

    /**
     * The job.
     *
     * @throws org.jobgate.job.FaultException naming an attribute that this gateway cannot honour
     */
    public JobDescription description(JdlPlaces places) {
        return new JdlTranslation(this, places).description();
    }

    /**
     * The job where there are no sandboxes: in its account's home.
     *
     * @throws org.jobgate.job.FaultException as {@link #description}, and naming the sandbox that it wants
     */
    public JobDescription plainDescription() {
        if (!input.isEmpty()) {
            throw noSandbox(JdlSandboxes.INPUT, input.getFirst().name());
        }
        if (!output.isEmpty()) {
            throw noSandbox(JdlSandboxes.OUTPUT, output.getFirst().path());
        }
        if (perusal != null) {
            throw noSandbox(JdlPerusal.ENABLE, "true");
        }
        return new JdlTranslation(this, null).description();
    }

    private static FaultException noSandbox(String attribute, String file) {
        return JdlFaults.unsupported(
                attribute,
                file,
                "jobs of this interface have no sandboxes",
                "Submit the job through the CREAM interface (glite-ce-job-submit).");
    }
}
