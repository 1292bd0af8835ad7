// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.ShortText;
import org.jobgate.limits.Limit;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.transfer.Checksum;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/** Reads what a {@code createReliableFileTransferRequest} asks for (facts/gram4.md section 6.2; captures 30 and 35). */
final class RequestReading {

    private static final Set<String> COUNTS = Set.of("blockSize", "tcpBufferSize", "parallelStreams");
    private static final Set<String> TRUTHS = Set.of("binary", "notpt", "dcau", "ignoreFilePermErr");
    private static final Set<String> TEXTS =
            Set.of("subjectName", "destinationSubjectName", "sourceSubjectName", "userName");
    /** Keys of RFT's own, and what only its answers have. */
    private static final Set<String> IGNORED =
            Set.of("transferId", "requestId", "status", "retry_time", "size", "finishBy");
    /** What GT's clients write for a name that was not given. */
    private static final String UNSET = "null";

    private static final int MAX_URL = 4096;

    /** The option of a file that says how often it is tried. */
    static final String ATTEMPTS = "maxAttempts";

    private final Limit limit;
    private final List<StoredRequest.File> files = new ArrayList<>();
    private final Map<String, String> shared = new HashMap<>();
    private @Nullable String credential;
    private int concurrency;
    private int maxAttempts;
    private boolean allOrNone;

    /** @param limit of the files */
    RequestReading(Limit limit) {
        this.limit = requireNonNull(limit, "limit is null");
    }

    /**
     * Reads it.
     *
     * @param key of the resource that is to be
     * @throws FaultException of code {@code INVALID_DESCRIPTION} or {@code LIMIT_EXCEEDED}
     */
    StoredRequest read(XmlElement body, String key, String owner, String account) {
        Optional<XmlElement> transfers = body.child("transferRequest");
        Optional<XmlElement> deletions = body.child("deleteRequest");
        if (transfers.isPresent() == deletions.isPresent()) {
            throw SoapFaultException.client(
                    "createReliableFileTransferRequest must hold one transferRequest or one deleteRequest.");
        }
        XmlElement request = transfers.orElseGet(deletions::orElseThrow);
        boolean isDeletion = deletions.isPresent();
        request.child(isDeletion ? "deleteOptions" : "rftOptions").ifPresent(options -> readOptions(options, shared));
        for (XmlElement child : request.children()) {
            readPart(child, isDeletion);
        }
        if (files.isEmpty()) {
            throw invalid("a request needs at least one " + (isDeletion ? "deletion" : "transfer"));
        }
        return new StoredRequest(key, owner, account, credential, concurrency, maxAttempts, allOrNone, files);
    }

    private void readPart(XmlElement child, boolean isDeletion) {
        String name = child.localName();
        switch (name) {
            case "concurrency" -> concurrency = count(name, child.trimmedText());
            case "maxAttempts" -> maxAttempts = count(name, child.trimmedText());
            case "transferCredentialEndpoint" -> credential = credential(child);
            case "allOrNone" -> allOrNone = truth(name, child.trimmedText());
            case "rftOptions", "deleteOptions" -> {
                // read before the files
            }
            case "transfer", "deletion" -> {
                if (isDeletion != name.equals("deletion")) {
                    throw invalid("a request either moves files or deletes them");
                }
                files.add(isDeletion ? deletion(child) : transfer(child));
                limit.check(files.size(), "Files of the request");
            }
            default -> requireIgnored(name);
        }
    }

    private static void requireIgnored(String name) {
        if (!IGNORED.contains(name)) {
            throw invalid("there is no element " + ShortText.of(name, 60) + " in a request");
        }
    }

    private StoredRequest.File transfer(XmlElement transfer) {
        Map<String, String> options = new HashMap<>(shared);
        for (XmlElement child : transfer.children()) {
            switch (child.localName()) {
                case "rftOptions" -> readOptions(child, options);
                case "attempts" -> options.put(ATTEMPTS, String.valueOf(count("attempts", child.trimmedText())));
                case "sourceUrl", "destinationUrl" -> {
                    // read below
                }
                default -> requireIgnored(child.localName());
            }
        }
        return new StoredRequest.File(url(transfer, "sourceUrl"), url(transfer, "destinationUrl"), options);
    }

    private StoredRequest.File deletion(XmlElement deletion) {
        Map<String, String> options = new HashMap<>(shared);
        deletion.child("deleteOptions").ifPresent(own -> readOptions(own, options));
        return new StoredRequest.File(null, url(deletion, "file"), options);
    }

    private static String url(XmlElement element, String name) {
        String text = element.child(name)
                .map(XmlElement::trimmedText)
                .orElseThrow(() -> invalid("each " + element.localName() + " must hold a " + name));
        return url(text, name);
    }

    /** The URL, if it is not too long. */
    static String url(String text, String name) {
        if (text.length() > MAX_URL) {
            throw invalid("a " + name + " has " + text.length() + " characters; at most " + MAX_URL + " are allowed");
        }
        return text;
    }

    private static void readOptions(XmlElement options, Map<String, String> into) {
        for (XmlElement option : options.children()) {
            option(option.localName(), option.trimmedText(), options.localName(), into);
        }
    }

    /**
     * Takes one option.
     *
     * @param where it stands, for a refusal
     */
    static void option(String name, String value, String where, Map<String, String> into) {
        if (COUNTS.contains(name)) {
            into.put(name, String.valueOf(count(name, value)));
        } else if (TRUTHS.contains(name)) {
            into.put(name, String.valueOf(truth(name, value)));
        } else if (name.equals(Checksum.OPTION)) {
            into.put(name, checksum(value));
        } else if (!TEXTS.contains(name)) {
            throw invalid("there is no option " + ShortText.of(name, 60) + " in " + where);
        } else if (!value.isEmpty() && !value.equals(UNSET)) {
            into.put(name, value);
        }
    }

    /** How often a file is to be tried. */
    static String attempts(String value) {
        return String.valueOf(count(ATTEMPTS, value));
    }

    /** Our own option. */
    private static String checksum(String value) {
        try {
            var unused = Checksum.parse(value);
            return value;
        } catch (IllegalArgumentException e) {
            throw invalid("the option checksum: " + e.getMessage());
        }
    }

    private static int count(String name, String value) {
        if (!value.matches("[0-9]{1,9}")) {
            throw invalid(name + " must be a whole number from 0 to 999999999");
        }
        return Integer.parseInt(value);
    }

    private static boolean truth(String name, String value) {
        return switch (value) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw invalid(name + " must be true or false");
        };
    }

    /** The key alone says which it is: one gateway has several addresses. */
    private static String credential(XmlElement element) {
        EndpointReference reference;
        try {
            reference = EndpointReference.read(element);
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
        return reference.given().stream()
                .filter(given ->
                        given.localName().equals(RftNames.delegationKey().getLocalPart()))
                .map(XmlElement::trimmedText)
                .filter(text -> !text.isEmpty() && text.length() <= 128)
                .findFirst()
                .orElseThrow(() -> invalid("transferCredentialEndpoint must hold the key of a delegated credential"));
    }

    private static FaultException invalid(String rule) {
        return new FaultException(Fault.of(
                FaultCode.INVALID_DESCRIPTION,
                "The request to move files is wrong: " + rule + ".",
                "Correct it and create another one."));
    }
}
