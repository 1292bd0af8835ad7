// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.XmlElement;

/** Endpoint references in files, as {@code -o} writes and {@code -j} and {@code -Ff} read them. */
public final class EprFile {
    private static final long BYTES_MAX = 1 << 20;

    private EprFile() {}

    /**
     * The resource that a user names: a file, or a handle ({@code https://HOST:PORT/wsrf/services/SERVICE?ID}).
     *
     * @throws CommandException it is neither
     */
    public static Epr named(String fileOrHandle) throws CommandException {
        if (!fileOrHandle.startsWith("https://")) {
            return read(Path.of(fileOrHandle));
        }
        int mark = fileOrHandle.indexOf('?');
        if (mark < 0 || mark == fileOrHandle.length() - 1) {
            throw new CommandException(
                    ExitStatus.USAGE, "Handle " + fileOrHandle + " names no resource: it needs ?ID at its end.");
        }
        return Epr.factory(fileOrHandle.substring(0, mark), fileOrHandle.substring(mark + 1));
    }

    public static Epr read(Path file) throws CommandException {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new CommandException(ExitStatus.USAGE, "EPR file " + file + " is larger than 1 MiB.");
            }
            return Epr.of(XmlElement.read(new ByteArrayInputStream(Files.readAllBytes(file))));
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "EPR file " + file + " cannot be read: " + Sentence.reason(e) + ".", e);
        } catch (XMLStreamException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "EPR file " + file + " holds no endpoint reference: " + e.getMessage(), e);
        }
    }

    public static void write(Path file, String text) throws CommandException {
        try {
            Files.writeString(file, text + "\n");
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE,
                    "File " + file + " cannot be written: " + Sentence.reason(e) + ". The job is submitted.",
                    e);
        }
    }
}
