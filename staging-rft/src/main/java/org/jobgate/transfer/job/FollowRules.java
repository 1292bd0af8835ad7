// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;
import static org.jobgate.transfer.job.FileRules.wrong;

import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.OutputOptions;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.transfer.NamePattern;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.Urls;
import org.jobgate.transfer.protocol.Protocol;

/** Which output files can be sent while the job runs: as a whole by appending to them, or in slices. */
final class FollowRules {

    private final Protocols protocols;
    private final UrlRules urls;
    private final IncrementalOutput incremental;

    FollowRules(Protocols protocols, UrlRules urls, IncrementalOutput incremental) {
        this.protocols = requireNonNull(protocols, "protocols is null");
        this.urls = requireNonNull(urls, "urls is null");
        this.incremental = requireNonNull(incremental, "incremental is null");
    }

    /** Whether the output of a job that goes to URLs is sent while it runs, where a URL can be appended to. */
    boolean isOutputFollowed(JobDescription job) {
        boolean isAllOrNone = job.transfers()
                .stageOutOptions()
                .getOrDefault(FileRules.ALL_OR_NONE, "false")
                .equals("true");
        return switch (incremental.rule()) {
            case NEVER -> false;
            case ASKED -> requireNonNullElse(job.incrementalOutput(), false);
            case ALWAYS -> requireNonNullElse(job.incrementalOutput(), !isAllOrNone);
        };
    }

    /** Whether a file at this URL can be appended to. */
    boolean appends(URI destination) {
        return protocols.find(destination).filter(Protocol::appends).isPresent();
    }

    /** Whether there may be jobs with files that are sent while they run. */
    boolean isAnyFollowed() {
        return incremental.rule() != IncrementalOutput.Rule.NEVER;
    }

    /**
     * Checks that each file that the job wants sent while it runs can be sent so.
     *
     * @throws FaultException for the first that cannot
     */
    void check(JobDescription job) {
        for (Transfer copy : job.transfers().stageIn()) {
            if (isFollowed(job.transfers().stageInOptions(), copy)) {
                throw wrong(DescriptionPart.INCREMENTAL, "true", "only files to send can be sent while the job runs");
            }
            if (areSlices(copy)) {
                throw wrong(DescriptionPart.INCREMENTAL, copy.source(), "only slices of output files can be sent");
            }
        }
        int count = 0;
        int sliced = 0;
        for (Transfer copy : job.transfers().stageOut()) {
            if (areSlices(copy)) {
                sliced++;
                checkSlices(job, copy);
            } else if (isFollowed(job.transfers().stageOutOptions(), copy)) {
                count++;
                checkDestination(job, copy.source(), copy.destination());
            }
        }
        if (requireNonNullElse(job.incrementalOutput(), false)) {
            for (String url : Arrays.asList(job.stdout(), job.stderr())) {
                if (url != null && RemoteStreams.isUrl(url) && !isHere(url)) {
                    count++;
                    checkDestination(job, "file:///", url);
                }
            }
        }
        checkQuota(job.transfers(), count);
        incremental.files().check(count + sliced, "files of the job that are to be sent while it runs");
    }

    /** Whether it has one of their options: a list without them is checked, and refused, as well. */
    private static boolean areSlices(Transfer copy) {
        return copy.options().containsKey(OutputOptions.SLICES)
                || copy.options().containsKey(OutputOptions.SLICES_LIST);
    }

    /** Slices are whole files, so that they can go wherever a file can. */
    private void checkSlices(JobDescription job, Transfer copy) {
        if (!isAnyFollowed()) {
            throw unsupported(copy.destination(), "this site sends files only when the job has ended", "Leave it out.");
        }
        String list = copy.options().get(OutputOptions.SLICES_LIST);
        if (!isHere(copy.source()) || !copy.source().endsWith("/") || list == null) {
            throw wrong(
                    DescriptionPart.INCREMENTAL,
                    copy.source(),
                    "slices are sent of the files of a local directory that a list names");
        }
        if (!copy.options().getOrDefault(OutputOptions.SLICES, "").matches("[1-9][0-9]{0,8}")) {
            throw wrong(
                    DescriptionPart.INCREMENTAL,
                    copy.options().get(OutputOptions.SLICES),
                    "the time between two slices is a number of seconds from 1 to 999999999");
        }
        requireNotAllOrNone(job, copy.destination());
        if (urls.check(Directive.STAGE_OUT, job, list, DescriptionPart.INCREMENTAL)
                .getRawPath()
                .endsWith("/")) {
            throw wrong(DescriptionPart.INCREMENTAL, list, "the list of the files must be a file");
        }
    }

    /** @param followed files that are sent while the job runs, as a whole */
    private static void checkQuota(TransferList files, int followed) {
        String most = files.stageOutOptions().get(OutputOptions.MOST_BYTES);
        if (most == null) {
            return;
        }
        if (!most.matches("[0-9]{1,18}")) {
            throw wrong(DescriptionPart.STAGE_OUT, most, "the most bytes of all files is a whole number");
        }
        if (followed > 0) {
            throw wrong(
                    DescriptionPart.STAGE_OUT,
                    most,
                    "files that are sent while the job runs cannot be cut to fit at its end");
        }
        for (Transfer copy : files.stageOut()) {
            boolean isCounted = !copy.source().endsWith("/") || copy.options().containsKey(NamePattern.OPTION);
            if (isCounted && !isHere(copy.source())) {
                throw wrong(DescriptionPart.STAGE_OUT, copy.source(), "only local files can be cut to fit");
            }
        }
    }

    private static boolean isFollowed(Map<String, String> ofAll, Transfer copy) {
        return IncrementalOutput.isAsked(copy.options())
                || (IncrementalOutput.isAsked(ofAll) && !copy.options().containsKey(IncrementalOutput.OPTION));
    }

    private static boolean isHere(String url) {
        return Urls.scheme(Urls.parse(url)).equals("file");
    }

    private void checkDestination(JobDescription job, String source, String destination) {
        if (!isAnyFollowed()) {
            throw unsupported(destination, "this site sends files only when the job has ended", "Leave it out.");
        }
        if (!isHere(source)) {
            throw unsupported(source, "only a local file can be sent while the job runs", "Name a file: URL.");
        }
        if (destination.endsWith("/")) {
            throw unsupported(
                    destination, "a directory can be sent only when the job has ended", "Name the file in it.");
        }
        if (!appends(Urls.parse(destination))) {
            throw unsupported(
                    destination,
                    "with " + Urls.scheme(Urls.parse(destination)) + ": nothing can be appended to a file",
                    "Use " + String.join(": or ", protocols.appending()) + ":, or leave it out.");
        }
        requireNotAllOrNone(job, destination);
    }

    /** All that was sent would be deleted: of slices the whole directory. */
    private static void requireNotAllOrNone(JobDescription job, String destination) {
        if (job.transfers()
                .stageOutOptions()
                .getOrDefault(FileRules.ALL_OR_NONE, "false")
                .equals("true")) {
            throw unsupported(
                    destination,
                    "with allOrNone nothing may be there before all is",
                    "Leave out allOrNone or " + IncrementalOutput.OPTION + ".");
        }
    }

    private static FaultException unsupported(String url, String why, String remedy) {
        return new FaultException(Fault.of(
                        FaultCode.UNSUPPORTED_FEATURE,
                        "The file cannot be sent while the job runs, as the job asks: " + why + ".",
                        remedy)
                .about(DescriptionPart.INCREMENTAL, url));
    }
}
