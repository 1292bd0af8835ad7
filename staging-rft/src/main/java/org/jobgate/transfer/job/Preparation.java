// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.JobDescription;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.transfer.Urls;
import org.jobgate.transfer.file.EmptyProtocol;
import org.jspecify.annotations.Nullable;

/**
 * How a job runs to which files are brought, or whose input or output is elsewhere: it has a scratch directory of its own, made before it and removed after it; what its description names by
 * URL as input and output lies there, fetched before and sent after.
 */
final class Preparation {

    /** Names the scratch directory to the job, as GT 4.0.2 and later did (facts/gram4.md section 2.5). */
    private static final String VARIABLE = "SCRATCH_DIRECTORY";

    private final JobDescription description;
    private final String scratch;
    private final List<Transfer> stageIn = new ArrayList<>();
    private final List<Transfer> stageOut = new ArrayList<>();
    private final List<String> cleanUp = new ArrayList<>();

    private final boolean isFollowed;
    private final Predicate<URI> appends;

    private Preparation(JobDescription description, String scratch, boolean isFollowed, Predicate<URI> appends) {
        this.description = description;
        this.scratch = scratch;
        this.isFollowed = isFollowed;
        this.appends = appends;
    }

    /**
     * The job as it runs.
     *
     * @param scratch the job's own directory: absolute, without a slash at its end
     * @param isFollowed whether its output is sent while it runs, where that can be
     * @param appends whether a destination can be appended to
     */
    static JobDescription of(JobDescription description, String scratch, boolean isFollowed, Predicate<URI> appends) {
        return new Preparation(description, scratch, isFollowed, appends).prepare();
    }

    private JobDescription prepare() {
        TransferList given = description.transfers();
        boolean isAlone = given.stageIn().isEmpty() && !RemoteStreams.areIn(description);
        if (isAlone || OnlyTransfers.is(description)) {
            return description; // nothing comes before the job, or nothing runs that could use the directory
        }
        stageIn.add(new Transfer(EmptyProtocol.DIRECTORY.toString(), url(scratch + "/")));
        stageIn.addAll(given.stageIn());
        stageOut.addAll(given.stageOut());
        cleanUp.addAll(given.cleanUp());
        String stdin = input(description.stdin());
        String stdout = output(description.stdout(), "stdout");
        String stderr = output(description.stderr(), "stderr");
        cleanUp.add(url(scratch + "/"));
        TransferList files = new TransferList(
                stageIn, stageOut, cleanUp, given.stageInOptions(), given.stageOutOptions(), given.cleanUpOptions());
        return description.toBuilder()
                .stdin(stdin)
                .stdout(stdout)
                .stderr(stderr)
                .environment(environment())
                .transfers(files)
                .build();
    }

    private static String url(String path) {
        return "file://" + path;
    }

    private @Nullable String input(@Nullable String named) {
        if (named == null || !RemoteStreams.isUrl(named)) {
            return named;
        }
        if (isHere(named)) {
            return Urls.parse(named).getPath();
        }
        stageIn.add(new Transfer(named, url(scratch + "/stdin")));
        return scratch + "/stdin";
    }

    private @Nullable String output(@Nullable String named, String name) {
        if (named == null || !RemoteStreams.isUrl(named)) {
            return named;
        }
        if (isHere(named)) {
            return Urls.parse(named).getPath();
        }
        stageOut.add(new Transfer(url(scratch + "/" + name), named, options(Urls.parse(named))));
        return scratch + "/" + name;
    }

    /** What is said for the files to send does not hold for it. */
    private Map<String, String> options(URI destination) {
        boolean isHereAsked = isFollowed && appends.test(destination);
        boolean isThereAsked = IncrementalOutput.isAsked(description.transfers().stageOutOptions());
        return isHereAsked == isThereAsked ? Map.of() : Map.of(IncrementalOutput.OPTION, Boolean.toString(isHereAsked));
    }

    private static boolean isHere(String named) {
        return Urls.scheme(Urls.parse(named)).equals("file");
    }

    private List<EnvironmentVariable> environment() {
        List<EnvironmentVariable> environment = new ArrayList<>(description.environment());
        if (environment.stream().noneMatch(variable -> variable.name().equals(VARIABLE))) {
            environment.add(new EnvironmentVariable(VARIABLE, scratch));
        }
        return environment;
    }
}
