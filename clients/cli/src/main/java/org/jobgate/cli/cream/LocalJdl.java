// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.XmlText;
import org.jspecify.annotations.Nullable;

/**
 * A JDL of this machine: the files of its InputSandbox have whole paths.
 *
 * @param jdl its attributes
 * @param files those of its InputSandbox that are files of this machine
 */
public record LocalJdl(JdlText jdl, List<Path> files) {

    private static final long BYTES_MAX = 1 << 20;
    private static final String SANDBOX = "InputSandbox";

    public LocalJdl {
        files = List.copyOf(files);
    }

    /**
     * Reads one from a file.
     *
     * @param defaults attributes for it where it does not have them
     * @throws CreamException where it cannot be read, and where a file of its InputSandbox cannot
     */
    public static LocalJdl read(Path file, Map<String, String> defaults) throws CreamException {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new CreamException("JDL file [" + file + "] is larger than 1 MiB. Stop.");
            }
            return of(Files.readString(file), defaults);
        } catch (IOException e) {
            throw new CreamException("JDL file [" + file + "] cannot be read: " + Sentence.reason(e) + ". Stop.", e);
        }
    }

    /**
     * The same of a text.
     *
     * @throws CreamException as {@link #read}
     */
    public static LocalJdl of(String text, Map<String, String> defaults) throws CreamException {
        JdlText jdl = JdlText.parse(text);
        defaults.forEach((attribute, value) -> {
            if (!jdl.attributes().containsKey(attribute)) {
                jdl.put(attribute, value);
            }
        });
        List<Path> files = new ArrayList<>();
        String sandbox = jdl.attributes().get(SANDBOX);
        if (sandbox != null) {
            boolean hasBase = jdl.attributes().containsKey("InputSandboxBaseURI");
            List<String> entries = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            for (String entry : JdlText.texts(sandbox)) {
                Path local = local(entry, hasBase);
                entries.add(JdlText.quoted(local == null ? entry : local.toString()));
                if (local != null) {
                    requireReadable(local);
                    if (!seen.add(String.valueOf(local.getFileName()))) {
                        throw new CreamException(
                                "InputSandbox: two files are called [" + local.getFileName() + "]. Stop.");
                    }
                    files.add(local);
                }
            }
            jdl.put(SANDBOX, "{ " + String.join(", ", entries) + " }");
        }
        requireSendable(jdl.toString());
        return new LocalJdl(jdl, files);
    }

    /** Its text for a queue of a computing element. */
    public String at(Endpoint.Queue queue) {
        jdl.put("BatchSystem", JdlText.quoted(queue.lrm()));
        jdl.put("QueueName", JdlText.quoted(queue.name()));
        return jdl.toString();
    }

    /** A file of this machine; null for a URL, and for a name below the base of all of them. */
    private static @Nullable Path local(String entry, boolean hasBase) {
        String path = entry.replaceFirst("^(?i:file:)(//)?(?=/)", "");
        if (path.toLowerCase(Locale.ROOT).matches("[a-z][a-z0-9+.-]*://.*") || (hasBase && !path.startsWith("/"))) {
            return null;
        }
        return Path.of(path).toAbsolutePath().normalize();
    }

    /** One request has many JDLs: a service that cannot read it takes none of them. */
    private static void requireSendable(String text) throws CreamException {
        int forbidden = XmlText.firstForbidden(text);
        if (forbidden >= 0) {
            throw new CreamException(String.format(
                    "The JDL holds the character U+%04X, which no message to a service can hold. Stop.",
                    text.codePointAt(forbidden)));
        }
    }

    private static void requireReadable(Path file) throws CreamException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new CreamException("InputSandbox: the file [" + file + "] is not there, or cannot be read. Stop.");
        }
    }
}
