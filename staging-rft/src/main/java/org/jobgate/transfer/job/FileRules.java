// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Transfer;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.Urls;
import org.jobgate.transfer.protocol.Protocol;
import org.jspecify.annotations.Nullable;

/** What can be said of a job's files before anything is moved: URLs that no protocol is for, credentials that are missing. */
public final class FileRules {

    private final Protocols protocols;

    public FileRules(Protocols protocols) {
        this.protocols = requireNonNull(protocols, "protocols is null");
    }

    Optional<Fault> refusal(JobDescription description) {
        try {
            check(description);
            return Optional.empty();
        } catch (FaultException e) {
            return Optional.of(e.fault());
        }
    }

    private void check(JobDescription job) {
        for (Transfer copy : job.transfers().stageIn()) {
            check(Directive.STAGE_IN, job, copy);
        }
        for (Transfer copy : job.transfers().stageOut()) {
            check(Directive.STAGE_OUT, job, copy);
        }
        for (String file : job.transfers().cleanUp()) {
            check(Directive.CLEAN_UP, job, file, "file");
        }
        checkStream(Directive.STAGE_IN, job, job.stdin(), "stdin");
        checkStream(Directive.STAGE_OUT, job, job.stdout(), "stdout");
        checkStream(Directive.STAGE_OUT, job, job.stderr(), "stderr");
    }

    private void checkStream(Directive directive, JobDescription job, @Nullable String path, String element) {
        if (RemoteStreams.isUrl(path)) {
            URI url = check(directive, job, requireNonNull(path), element);
            if (url.getRawPath().endsWith("/")) {
                throw wrong(element, path, "it must name a file, not a directory");
            }
        }
    }

    private void check(Directive directive, JobDescription job, Transfer copy) {
        URI source = check(directive, job, copy.source(), "sourceUrl");
        URI destination = check(directive, job, copy.destination(), "destinationUrl");
        boolean isDirectory = source.getRawPath().endsWith("/");
        if (isDirectory != destination.getRawPath().endsWith("/")) {
            throw wrong(
                    directive.element(),
                    copy.source(),
                    "both URLs end with a slash for a directory, and none for a file; the other is "
                            + copy.destination());
        }
        if (source.equals(destination)) {
            throw wrong(directive.element(), copy.source(), "it is to be copied onto itself");
        }
    }

    private URI check(Directive directive, JobDescription job, String text, String element) {
        URI url;
        try {
            url = Urls.parse(text);
        } catch (IllegalArgumentException e) {
            throw wrong(element, text, String.valueOf(e.getMessage()));
        }
        if (!protocols.allowUserOf(url)) {
            throw wrong(element, url.getHost(), "a URL must not name a user or hold a password");
        }
        Protocol protocol = protocols
                .find(url)
                .orElseThrow(() -> new FaultException(Fault.of(
                                FaultCode.UNSUPPORTED_FEATURE,
                                "Files cannot be moved with " + Urls.scheme(url) + ": here; known are: "
                                        + String.join(", ", protocols.schemes()) + ".",
                                "Use one of them.")
                        .about(directive.element(), text)));
        if (protocol.needsCredential() && directive.credential(job) == null) {
            throw new FaultException(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            "A transferCredentialEndpoint element was not specified in " + directive.element()
                                    + ", but is needed for " + Urls.scheme(url) + ":.",
                            "Delegate a credential and name it (globusrun-ws -S does both).")
                    .about("transferCredentialEndpoint", directive.element()));
        }
        return url;
    }

    private static FaultException wrong(String element, @Nullable String value, String rule) {
        return new FaultException(Fault.of(
                        FaultCode.INVALID_DESCRIPTION,
                        "The element " + element + " of the job is wrong: " + rule + ".",
                        "Correct it and submit again.")
                .about(element, value));
    }
}
