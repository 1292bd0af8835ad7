// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What independent clients of BES sent, as it was seen on the wire; it lies beside the checkout. */
final class BesCaptures {

    private static final Pattern REQUEST =
            Pattern.compile("(?is)soapaction[=:]\\s*(\"[^\"]*/(\\w+)\").*?(<([\\w-]+):Envelope\\b.*?</\\4:Envelope>)");
    private static final Pattern DOCUMENT =
            Pattern.compile("<((?:\\w+:)?)JobDefinition\\b.*?</\\1JobDefinition>", Pattern.DOTALL);

    /**
     * One request.
     *
     * @param action as the client sent it, with its quotes
     */
    record Request(String client, String action, String operation, String envelope) {}

    private BesCaptures() {}

    static List<Request> requests() throws IOException {
        Path captures = Checkout.directory().resolve("../shared/captures/bes").normalize();
        assumeTrue(Files.isDirectory(captures), "SKIPPED: there are no captures of BES at " + captures);
        List<Request> found = new ArrayList<>();
        try (var files = Files.list(captures)) {
            for (Path file : files.sorted().toList()) {
                Matcher matcher = REQUEST.matcher(Files.readString(file));
                while (matcher.find()) {
                    found.add(new Request(
                            file.getFileName().toString(), matcher.group(1), matcher.group(2), matcher.group(3)));
                }
            }
        }
        return found;
    }

    /** The JSDL in the requests. */
    static List<String> documents() throws IOException {
        return requests().stream()
                .flatMap(request -> DOCUMENT.matcher(request.envelope()).results())
                .map(result -> result.group())
                .toList();
    }
}
