// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import static java.util.Objects.requireNonNull;
import static org.jobgate.transfer.job.FileRules.wrong;

import java.net.URI;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.Urls;
import org.jobgate.transfer.protocol.Protocol;

/** Which URLs a job may name: those of the site's protocols, without a user, and with a credential where the protocol needs one. */
final class UrlRules {

    private final Protocols protocols;

    UrlRules(Protocols protocols) {
        this.protocols = requireNonNull(protocols, "protocols is null");
    }

    /**
     * The URL, if the site moves files by it and the job has the credential that it needs.
     *
     * @param part of the description in which the text stands
     * @throws FaultException that says what is wrong with it
     */
    URI check(Directive directive, JobDescription job, String text, DescriptionPart part) {
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
}
