// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.TransferCredentials;
import org.jobgate.transfer.Urls;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.TransferException;
import org.jspecify.annotations.Nullable;

/** What can be said of a request before anything is moved: URLs that no protocol is for, credentials that are missing. */
final class RequestRules {

    private final Protocols protocols;
    private final TransferCredentials credentials;
    private final String credentialWord;

    /** @param credentialWord what the credential of a request is called at the door */
    RequestRules(Protocols protocols, TransferCredentials credentials, String credentialWord) {
        this.credentialWord = requireNonNull(credentialWord, "credentialWord is null");
        this.protocols = requireNonNull(protocols, "protocols is null");
        this.credentials = requireNonNull(credentials, "credentials is null");
    }

    /**
     * Checks it.
     *
     * @return why a credential is missing; empty where none is
     * @throws FaultException for anything else that is wrong
     */
    Optional<String> check(StoredRequest request) {
        String missing = null;
        for (StoredRequest.File file : request.files()) {
            String needing = checkFile(file, request.credential() == null);
            missing = missing == null ? needing : missing;
        }
        if (missing != null) {
            return Optional.of("No " + credentialWord + " is named, but " + missing
                    + " needs one. Delegate a credential and name it in the request.");
        }
        return unusable(request);
    }

    private Optional<String> unusable(StoredRequest request) {
        String key = request.credential();
        if (key == null) {
            return Optional.empty();
        }
        try {
            var unused = credentials.find(request.owner(), key);
            return Optional.empty();
        } catch (TransferException e) {
            return Optional.of("The " + credentialWord + " cannot be used: " + e.sentence() + ". " + e.remedy());
        }
    }

    private @Nullable String checkFile(StoredRequest.File file, boolean isWithoutCredential) {
        URI destination = url(file.destination());
        boolean needs = protocol(destination).needsCredential();
        if (file.source() != null) {
            URI source = url(file.source());
            needs |= protocol(source).needsCredential();
            if (source.getRawPath().endsWith("/") != destination.getRawPath().endsWith("/")) {
                throw wrong(file.source(), "both URLs end with a slash for a directory, and none for a file");
            }
            if (source.equals(destination)) {
                throw wrong(file.source(), "it is to be copied onto itself");
            }
            requireHeeded(source, file.options(), End.SOURCE);
        }
        requireHeeded(destination, file.options(), End.DESTINATION);
        return needs && isWithoutCredential ? file.destination() : null;
    }

    private void requireHeeded(URI url, Map<String, String> options, End end) {
        protocol(url).refusal(url).ifPresent(why -> {
            throw wrong(url.toString(), why);
        });
        protocols.refusal(url, options, end).ifPresent(why -> {
            throw wrong(url.toString(), why);
        });
    }

    private Protocol protocol(URI url) {
        return protocols
                .find(url)
                .orElseThrow(() -> wrong(
                        url.toString(),
                        "files cannot be moved with " + Urls.scheme(url) + ": here; known are: "
                                + String.join(", ", protocols.schemes())));
    }

    private URI url(String text) {
        try {
            URI url = Urls.parse(text);
            if (!protocols.allowUserOf(url)) {
                throw wrong(url.getHost(), "a URL must not name a user or hold a password");
            }
            return url;
        } catch (IllegalArgumentException e) {
            throw wrong(text, String.valueOf(e.getMessage()));
        }
    }

    private static FaultException wrong(@Nullable String url, String rule) {
        return new FaultException(Fault.of(
                FaultCode.INVALID_DESCRIPTION, "The URL " + url + " cannot be used: " + rule + ".", "Correct it."));
    }
}
