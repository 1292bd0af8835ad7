// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import static org.jobgate.transfer.job.FileRules.wrong;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.CreationFlag;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.FileTokens;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.Urls;
import org.jobgate.transfer.https.Compression;

/** What can be said before a copy is made of what the file at its destination is to hold: the copy, more, or something else. */
final class ContentRules {

    private static final String CHECKSUM = "checksum";

    private final Protocols protocols;

    ContentRules(Protocols protocols) {
        this.protocols = protocols;
    }

    void check(Directive directive, Map<String, String> options, URI destination) {
        String compress = options.get(Compression.OPTION);
        if (compress != null) {
            Compression.refusal(compress).ifPresent(why -> {
                throw wrong(directive.part(), compress, why);
            });
        }
        CreationFlag flag = checkCreation(directive, options, destination);
        checkTokens(directive, options, destination, flag);
    }

    /** What is there already may stay, or be made longer, where that can be done and nothing else asks for the contrary. */
    private CreationFlag checkCreation(Directive directive, Map<String, String> options, URI destination) {
        CreationFlag flag;
        try {
            flag = CreationFlag.in(options);
        } catch (IllegalArgumentException e) {
            throw wrong(
                    directive.part(), options.get(CreationFlag.OPTION), CreationFlag.OPTION + ": " + e.getMessage());
        }
        if (flag == CreationFlag.OVERWRITE) {
            return flag;
        }
        for (String other : List.of(FileRules.ALL_OR_NONE, IncrementalOutput.OPTION)) {
            if (options.getOrDefault(other, "false").equals("true")) {
                throw wrong(
                        directive.part(),
                        flag.word(),
                        "a copy that shall " + flag.word() + " cannot have the option " + other + " as well");
            }
        }
        if (flag == CreationFlag.APPEND && options.containsKey(CHECKSUM)) {
            throw wrong(directive.part(), flag.word(), "what is appended to has another checksum than the source");
        }
        if (flag == CreationFlag.APPEND && !protocols.canAppendTo(destination)) {
            throw new FaultException(Fault.of(
                            FaultCode.UNSUPPORTED_FEATURE,
                            "Nothing can be appended to a file with " + Urls.scheme(destination)
                                    + ":, as the job wants it (append).",
                            "Let it be overwritten, or use " + String.join(": or ", protocols.appending()) + ":.")
                    .about(directive.part(), destination.toString()));
        }
        return flag;
    }

    /** Tokens are replaced in one file, while it is fetched to this machine. */
    private static void checkTokens(
            Directive directive, Map<String, String> options, URI destination, CreationFlag flag) {
        Optional<FileTokens> tokens;
        try {
            tokens = FileTokens.in(options);
        } catch (IllegalArgumentException e) {
            throw wrong(directive.part(), options.get(FileTokens.OPTION), FileTokens.OPTION + ": " + e.getMessage());
        }
        if (tokens.isEmpty()) {
            return;
        }
        if (directive != Directive.STAGE_IN
                || !Urls.scheme(destination).equals("file")
                || destination.getRawPath().endsWith("/")) {
            throw wrong(
                    directive.part(),
                    destination.toString(),
                    "tokens (" + FileTokens.OPTION + ") are replaced only in a single file that is fetched");
        }
        if (flag == CreationFlag.APPEND || options.containsKey(CHECKSUM)) {
            throw wrong(
                    directive.part(),
                    destination.toString(),
                    "a file in which tokens are replaced (" + FileTokens.OPTION
                            + ") cannot be appended, and has another checksum than its source");
        }
    }
}
