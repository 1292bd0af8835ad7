// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.bes;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * The identifier of an activity: an endpoint reference that is kept and sent back whole.
 *
 * @param reference an element ActivityIdentifier of BES
 * @param service the address of the factory
 */
record Activity(XmlElement reference, String service) {
    private static final long BYTES_MAX = 1 << 20;

    Activity {
        requireNonNull(reference, "reference is null");
        requireNonNull(service, "service is null");
    }

    /** The identifier in an answer. */
    static Activity of(@Nullable XmlElement reference) throws IOException {
        String address = reference == null ? null : reference.childText(BesService.ADDRESSING, "Address");
        if (reference == null || address == null || !address.startsWith("https://")) {
            throw new IOException("There is no identifier of an activity with an address of https.");
        }
        int query = address.indexOf('?');
        return new Activity(reference, query < 0 ? address : address.substring(0, query));
    }

    static Activity read(Path file) throws CommandException {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new CommandException(ExitStatus.USAGE, "File " + file + " is larger than 1 MiB.");
            }
            XmlElement root = XmlElement.read(new ByteArrayInputStream(Files.readAllBytes(file)));
            return of(root.is(BesService.FACTORY, "ActivityIdentifier") ? root : null);
        } catch (XMLStreamException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "File " + file + " holds no identifier of an activity: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "File " + file + " cannot be used: " + Sentence.reason(e) + ".", e);
        }
    }

    String text() {
        StringBuilder out = new StringBuilder(400);
        reference.write(out, "");
        return out.toString();
    }
}
