// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.files.FileNames;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.OutputOptions;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.FilePassword;
import org.jobgate.transfer.NamePattern;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.Urls;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Protocol;
import org.jspecify.annotations.Nullable;

/** What can be said of a job's files before anything is moved: URLs that no protocol is for, credentials that are missing. */
public final class FileRules {

    private final Protocols protocols;
    private final IncrementalOutput incremental;
    private final ContentRules contents;

    /** The rules of a site whose jobs may have some files sent while they run. */
    public FileRules(Protocols protocols) {
        this(protocols, IncrementalOutput.asked());
    }

    public FileRules(Protocols protocols, IncrementalOutput incremental) {
        this.protocols = requireNonNull(protocols, "protocols is null");
        this.incremental = requireNonNull(incremental, "incremental is null");
        this.contents = new ContentRules(protocols);
    }

    /** Whether the output of a job that goes to URLs is sent while it runs, where a URL can be appended to. */
    boolean isOutputFollowed(JobDescription job) {
        boolean isAllOrNone = job.transfers()
                .stageOutOptions()
                .getOrDefault(ALL_OR_NONE, "false")
                .equals("true");
        return switch (incremental.rule()) {
            case NEVER -> false;
            case ASKED -> requireNonNullElse(job.incrementalOutput(), false);
            case ALWAYS -> requireNonNullElse(job.incrementalOutput(), !isAllOrNone);
        };
    }

    /** Whether what is there can be made longer. */
    boolean appends(URI destination) {
        return protocols.find(destination).filter(Protocol::appends).isPresent();
    }

    /** Whether there may be jobs with files that are sent while they run. */
    boolean isAnyFollowed() {
        return incremental.rule() != IncrementalOutput.Rule.NEVER;
    }

    static final String ALL_OR_NONE = "allOrNone";

    Optional<Fault> refusal(JobDescription description) {
        try {
            check(description);
            return Optional.empty();
        } catch (FaultException e) {
            return Optional.of(e.fault());
        }
    }

    private void check(JobDescription job) {
        checkOptionsOfAll(job);
        for (Transfer copy : job.transfers().stageIn()) {
            check(Directive.STAGE_IN, job, copy);
        }
        for (Transfer copy : job.transfers().stageOut()) {
            check(Directive.STAGE_OUT, job, copy);
        }
        for (String file : job.transfers().cleanUp()) {
            URI url = check(Directive.CLEAN_UP, job, file, DescriptionPart.CLEAN_UP_FILE);
            requireHeeded(Directive.CLEAN_UP, url, job.transfers().cleanUpOptions(), End.DESTINATION);
        }
        checkStream(Directive.STAGE_IN, job, job.stdin(), DescriptionPart.STDIN);
        checkStream(Directive.STAGE_OUT, job, job.stdout(), DescriptionPart.STDOUT);
        checkStream(Directive.STAGE_OUT, job, job.stderr(), DescriptionPart.STDERR);
        checkFollowed(job);
    }

    /** Some doors take any option: those that are for one transfer, or for all of them, are refused elsewhere, and what is no number where one is read. */
    private static void checkOptionsOfAll(JobDescription job) {
        for (Directive directive : Directive.values()) {
            Map<String, String> options = directive.options(job.transfers());
            if (options.containsKey(OutputOptions.SLICES) || options.containsKey(OutputOptions.SLICES_LIST)) {
                throw wrong(
                        DescriptionPart.INCREMENTAL,
                        options.get(OutputOptions.SLICES),
                        "slices are asked for by one transfer, not by all of them");
            }
            checkCounts(directive, options, List.of("concurrency", "maxAttempts"));
        }
        for (Transfer copy : job.transfers().stageIn()) {
            checkCounts(Directive.STAGE_IN, copy.options(), List.of("attempts", "maxAttempts"));
        }
        for (Transfer copy : job.transfers().stageOut()) {
            checkCounts(Directive.STAGE_OUT, copy.options(), List.of("attempts", "maxAttempts"));
        }
    }

    private static void checkCounts(Directive directive, Map<String, String> options, List<String> names) {
        for (String name : names) {
            String value = options.get(name);
            if (value != null && !value.matches("[0-9]{1,9}")) {
                throw wrong(directive.part(), value, "the option " + name + " is a whole number");
            }
        }
    }

    /** Who asks for files to be sent while the job runs gets that, or is told that it cannot be. */
    private void checkFollowed(JobDescription job) {
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
                checkFollowed(job, copy.source(), copy.destination());
            }
        }
        if (requireNonNullElse(job.incrementalOutput(), false)) {
            for (String url : Arrays.asList(job.stdout(), job.stderr())) {
                if (url != null && RemoteStreams.isUrl(url) && !isHere(url)) {
                    count++;
                    checkFollowed(job, "file:///", url);
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
        if (check(Directive.STAGE_OUT, job, list, DescriptionPart.INCREMENTAL)
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

    private void checkFollowed(JobDescription job, String source, String destination) {
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
        if (job.transfers().stageOutOptions().getOrDefault(ALL_OR_NONE, "false").equals("true")) {
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

    private void checkStream(Directive directive, JobDescription job, @Nullable String path, DescriptionPart part) {
        if (RemoteStreams.isUrl(path)) {
            URI url = check(directive, job, requireNonNull(path), part);
            if (url.getRawPath().endsWith("/")) {
                throw wrong(part, path, "it must name a file, not a directory");
            }
            if (Urls.scheme(url).equals("file") && !FileNames.isText(FileNames.decoded(url.getRawPath()))) {
                throw wrong(part, path, "a file that the job itself opens must have a name in UTF-8");
            }
        }
    }

    private void check(Directive directive, JobDescription job, Transfer copy) {
        URI source = check(directive, job, copy.source(), DescriptionPart.TRANSFER_SOURCE);
        URI destination = check(directive, job, copy.destination(), DescriptionPart.TRANSFER_DESTINATION);
        boolean isDirectory = source.getRawPath().endsWith("/");
        if (isDirectory != destination.getRawPath().endsWith("/")) {
            throw wrong(
                    directive.part(),
                    copy.source(),
                    "both URLs end with a slash for a directory, and none for a file; the other is "
                            + copy.destination());
        }
        if (source.equals(destination)) {
            throw wrong(directive.part(), copy.source(), "it is to be copied onto itself");
        }
        Map<String, String> options = Directive.merged(directive.options(job.transfers()), copy.options());
        checkPattern(directive, copy, isDirectory);
        contents.check(directive, options, destination);
        checkPassword(directive, copy, directive == Directive.STAGE_IN ? source : destination);
        requireHeeded(directive, source, options, End.SOURCE);
        requireHeeded(directive, destination, options, End.DESTINATION);
    }

    /** Wildcards are for the files of one directory. */
    private static void checkPattern(Directive directive, Transfer copy, boolean isDirectory) {
        String pattern = copy.options().get(NamePattern.OPTION);
        if (pattern == null) {
            return;
        }
        if (!isDirectory) {
            throw wrong(
                    directive.part(),
                    copy.source(),
                    "the option " + NamePattern.OPTION + " is for directories: both URLs end with a slash");
        }
        try {
            NamePattern.parse(pattern);
        } catch (IllegalArgumentException e) {
            throw wrong(directive.part(), pattern, String.valueOf(e.getMessage()));
        }
    }

    /** A password is for the server of one file, and goes only where it can be used. */
    private void checkPassword(Directive directive, Transfer copy, URI remote) {
        boolean isTaken = protocols.find(remote).filter(Protocol::takesPassword).isPresent();
        if (copy.options().containsKey(FilePassword.OPTION) && !isTaken) {
            throw new FaultException(Fault.of(
                            FaultCode.UNSUPPORTED_FEATURE,
                            "The job has a name and a password for a file that is moved with " + Urls.scheme(remote)
                                    + ":, and they are of use only with "
                                    + String.join(":, ", protocols.takingPasswords())
                                    + ":.",
                            "Leave them out, or use another URL.")
                    .about(directive.part(), remote.toString()));
        }
    }

    private void requireHeeded(Directive directive, URI url, Map<String, String> options, End end) {
        protocols.refusal(url, options, end).ifPresent(why -> {
            throw wrong(directive.part(), url.toString(), why + " (" + url + ")");
        });
    }

    private URI check(Directive directive, JobDescription job, String text, DescriptionPart part) {
        URI url;
        try {
            url = Urls.parse(text);
        } catch (IllegalArgumentException e) {
            throw wrong(part, text, String.valueOf(e.getMessage()));
        }
        if (!protocols.allowUserOf(url)) {
            throw wrong(part, url.getHost(), "a URL must not name a user or hold a password");
        }
        Protocol protocol = protocols
                .find(url)
                .orElseThrow(() -> new FaultException(Fault.of(
                                FaultCode.UNSUPPORTED_FEATURE,
                                "Files cannot be moved with " + Urls.scheme(url) + ": here; known are: "
                                        + String.join(", ", protocols.schemes()) + ".",
                                "Use one of them.")
                        .about(directive.part(), text)));
        protocol.refusal(url).ifPresent(why -> {
            throw new FaultException(Fault.of(
                            FaultCode.UNSUPPORTED_FEATURE,
                            "The " + part.title() + " of the job cannot be used: " + why + ".",
                            "Name another URL, or ask the site's administrator.")
                    .about(part, text));
        });
        if (protocol.needsCredential() && directive.credential(job) == null) {
            throw new FaultException(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            "The job names no delegated credential for the "
                                    + directive.part().title() + ", and " + Urls.scheme(url) + ": needs one.",
                            "Delegate a credential and name it.")
                    .about(DescriptionPart.FILE_CREDENTIAL, null));
        }
        return url;
    }

    static FaultException wrong(DescriptionPart part, @Nullable String value, String rule) {
        return new FaultException(Fault.of(
                        FaultCode.INVALID_DESCRIPTION,
                        "The " + part.title() + " of the job is wrong: " + rule + ".",
                        "Correct it and submit again.")
                .about(part, value));
    }
}
