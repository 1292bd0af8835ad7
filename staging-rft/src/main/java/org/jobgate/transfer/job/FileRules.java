// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import static java.util.Objects.requireNonNull;

import java.net.URI;
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
import org.jobgate.jobs.FilePassword;
import org.jobgate.transfer.NamePattern;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.Urls;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Protocol;
import org.jspecify.annotations.Nullable;

/** Checks the files of a job before anything is moved: unknown protocols, missing credentials, options that cannot be met. */
public final class FileRules {

    private final Protocols protocols;
    private final UrlRules urls;
    private final FollowRules followed;
    private final ContentRules contents;

    /** The rules of a site whose jobs may have some files sent while they run. */
    public FileRules(Protocols protocols) {
        this(protocols, IncrementalOutput.asked());
    }

    public FileRules(Protocols protocols, IncrementalOutput incremental) {
        this.protocols = requireNonNull(protocols, "protocols is null");
        this.urls = new UrlRules(protocols);
        this.followed = new FollowRules(protocols, urls, incremental);
        this.contents = new ContentRules(protocols);
    }

    /** Those for files that are sent while the job runs. */
    FollowRules followed() {
        return followed;
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
            URI url = urls.check(Directive.CLEAN_UP, job, file, DescriptionPart.CLEAN_UP_FILE);
            requireHeeded(Directive.CLEAN_UP, url, job.transfers().cleanUpOptions(), End.DESTINATION);
        }
        checkStream(Directive.STAGE_IN, job, job.stdin(), DescriptionPart.STDIN);
        checkStream(Directive.STAGE_OUT, job, job.stdout(), DescriptionPart.STDOUT);
        checkStream(Directive.STAGE_OUT, job, job.stderr(), DescriptionPart.STDERR);
        followed.check(job);
    }

    /** Some doors pass any option on. This refuses options for all transfers that belong to one transfer, and counts that are no whole numbers. */
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

    private void checkStream(Directive directive, JobDescription job, @Nullable String path, DescriptionPart part) {
        if (RemoteStreams.isUrl(path)) {
            URI url = urls.check(directive, job, requireNonNull(path), part);
            if (url.getRawPath().endsWith("/")) {
                throw wrong(part, path, "it must name a file, not a directory");
            }
            if (Urls.scheme(url).equals("file") && !FileNames.isText(FileNames.decoded(url.getRawPath()))) {
                throw wrong(part, path, "a file that the job itself opens must have a name in UTF-8");
            }
        }
    }

    private void check(Directive directive, JobDescription job, Transfer copy) {
        URI source = urls.check(directive, job, copy.source(), DescriptionPart.TRANSFER_SOURCE);
        URI destination = urls.check(directive, job, copy.destination(), DescriptionPart.TRANSFER_DESTINATION);
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

    static FaultException wrong(DescriptionPart part, @Nullable String value, String rule) {
        return new FaultException(Fault.of(
                        FaultCode.INVALID_DESCRIPTION,
                        "The " + part.title() + " of the job is wrong: " + rule + ".",
                        "Correct it and submit again.")
                .about(part, value));
    }
}
