// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;
import org.jobgate.cli.wire.XmlText;

/**
 * A job description made ready for streaming, as GT's client made it (facts/gram4.md section 4.4): what has no file gets one that bears
 * the submission's id, and the job is held before its clean-up, so that everything can be read first.
 */
final class StreamedDescription {
    private StreamedDescription() {}

    /**
     * The description with what is missing.
     *
     * @param description the qualified element desc:job
     * @throws CommandException it is a multiJob, which has no output of its own
     */
    static String of(String description, String id) throws CommandException {
        XmlElement job = parsed(description);
        if (!job.name().equals("job")) {
            throw new CommandException(
                    ExitStatus.USAGE, "Streaming is for single jobs: a multiJob has no output of its own.");
        }
        StringBuilder added = new StringBuilder(300);
        for (String stream : new String[] {"stdout", "stderr"}) {
            if (job.child(Names.DESCRIPTION, stream) == null) {
                element(added, Names.DESCRIPTION, stream, JobOutput.name(id, stream));
            }
        }
        if (job.child(Names.TYPES, "holdState") == null) {
            element(added, Names.TYPES, "holdState", "CleanUp");
        }
        int end = description.lastIndexOf("</");
        return description.substring(0, end) + added + description.substring(end);
    }

    private static XmlElement parsed(String description) throws CommandException {
        try {
            return JobDescriptionFile.parsed(description);
        } catch (XMLStreamException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "The description is not XML: " + Sentence.of(e.getMessage()), e);
        }
    }

    private static void element(StringBuilder out, String namespace, String name, String text) {
        out.append('<').append(name).append(" xmlns=\"").append(namespace).append("\">");
        XmlText.append(out, text);
        out.append("</").append(name).append('>');
    }
}
