// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * A description whose staging elements name files of the user's own machine, as the service gets it: without them, with a hold before the job
 * for bringing them, and, where there are any to fetch, one before its clean-up. A job without a directory of its own gets one, which is removed at its end.
 *
 * @param description as it is to be sent
 * @param inputs what to bring, in order
 * @param outputs what to fetch, in order
 * @param releasesAtEnd whether a hold before the clean-up, if there is one, is ours
 */
record OwnFiles(String description, List<Copy> inputs, List<Copy> outputs, boolean releasesAtEnd) {
    /** Our extension: where a job is to be held after it was released (docs/reference/gram4.md). */
    static final String HOLD_AGAIN = "holdAgain";

    /** @param below the way below the job's directory */
    record Copy(Path local, String below) {}

    OwnFiles {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    boolean isAny() {
        return !inputs.isEmpty() || !outputs.isEmpty();
    }

    /**
     * What a description asks for.
     *
     * @param isShown whether its output is shown, which holds it before its clean-up too
     * @throws CommandException it asks for what cannot be: a file that is not there, one outside of the job's directory, another hold
     */
    static OwnFiles of(Submission submission, OwnNames names, boolean isShown) throws CommandException {
        String description = submission.description();
        if (!description.contains("fileStageIn") && !description.contains("fileStageOut")) {
            return new OwnFiles(description, List.of(), List.of(), false);
        }
        try {
            Reading reading = new Reading(JobDescriptionFile.parsed(description), names, submission.id());
            OwnFiles read = reading.read(description, isShown);
            if (!reading.problems.isEmpty()) {
                throw new CommandException(ExitStatus.USAGE, String.join("\n", reading.problems));
            }
            return read;
        } catch (XMLStreamException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "The description is not XML: " + Sentence.of(e.getMessage()), e);
        }
    }

    /** What is wrong with the files of a description, before it is submitted; empty where nothing is. */
    static List<String> problems(XmlElement description, OwnNames names) {
        Reading reading = new Reading(description, names, "uuid:0");
        var unused = reading.read("", false);
        return reading.problems;
    }

    /** One description on its way. */
    private static final class Reading {
        private final XmlElement job;
        private final OwnNames names;
        private final String ownDirectory;
        private final String directory;
        private final boolean hasDirectory;
        private final List<Copy> inputs = new ArrayList<>();
        private final List<Copy> outputs = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();

        Reading(XmlElement job, OwnNames names, String id) {
            this.job = job;
            this.names = names;
            this.ownDirectory = "${GLOBUS_SCRATCH_DIR}/" + id.substring("uuid:".length());
            String given = job.childText(Names.DESCRIPTION, "directory");
            this.hasDirectory = given != null && !given.isEmpty();
            this.directory = given == null || given.isEmpty() ? ownDirectory : given;
        }

        OwnFiles read(String unchanged, boolean isShown) {
            List<XmlElement> parts = new ArrayList<>();
            for (XmlElement part : job.children()) {
                if (part.is(Names.DESCRIPTION, "fileStageIn")) {
                    without(parts, part, "sourceUrl", "destinationUrl", inputs);
                } else if (part.is(Names.DESCRIPTION, "fileStageOut")) {
                    without(parts, part, "destinationUrl", "sourceUrl", outputs);
                } else {
                    parts.add(part);
                }
            }
            int ofSubJobs = ofSubJobs();
            if (inputs.isEmpty() && outputs.isEmpty() && ofSubJobs == 0) {
                return new OwnFiles(unchanged, List.of(), List.of(), false);
            }
            if (!job.name().equals("job")) {
                problems.add("Files of your own machine are for single jobs, not for a multiJob.");
            }
            checkLocal();
            String hold = job.childText(Names.TYPES, "holdState");
            boolean isOurs = hold == null || (isShown && hold.equals("CleanUp"));
            held(parts, hold == null && !outputs.isEmpty() ? "CleanUp" : hold);
            if (!hasDirectory) {
                parts.add(text(Names.DESCRIPTION, "directory", ownDirectory));
                cleanedUp(parts);
            }
            StringBuilder out = new StringBuilder(unchanged.length() + 600);
            new XmlElement(job.namespace(), job.name(), job.attributes(), parts, "").write(out, "");
            return new OwnFiles(out.toString(), inputs, outputs, isOurs);
        }

        /** How many files of ours the jobs of a multi-job name. */
        private int ofSubJobs() {
            int count = 0;
            for (XmlElement part : job.children()) {
                if (part.is(Names.DESCRIPTION, "job")) {
                    Reading sub = new Reading(part, names, "uuid:0");
                    var unused = sub.read("", false);
                    count += sub.inputs.size() + sub.outputs.size();
                    problems.addAll(sub.problems);
                }
            }
            return count;
        }

        private void checkLocal() {
            for (Copy copy : inputs) {
                if (!Files.isRegularFile(copy.local()) || !Files.isReadable(copy.local())) {
                    problems.add("File " + copy.local() + " is not there, or cannot be read.");
                }
            }
            for (Copy copy : outputs) {
                Path directory = copy.local().toAbsolutePath().getParent();
                if (directory == null || !Files.isDirectory(directory) || !Files.isWritable(directory)) {
                    problems.add("File " + copy.local() + " cannot be fetched: " + directory
                            + " is no directory that you may write to.");
                }
            }
        }

        /** Keeps of a staging element what is not ours, and nothing where no transfer is left. */
        private void without(List<XmlElement> parts, XmlElement staging, String ours, String theirs, List<Copy> found) {
            List<XmlElement> kept = new ArrayList<>();
            boolean isAnyLeft = false;
            for (XmlElement part : staging.children()) {
                if (!part.is(Names.RFT, "transfer")) {
                    kept.add(part);
                    continue;
                }
                String name = part.childText(Names.RFT, ours);
                try {
                    Path local = name == null ? null : names.own(name);
                    if (local == null) {
                        kept.add(part);
                        isAnyLeft = true;
                    } else {
                        String other = part.childText(Names.RFT, theirs);
                        found.add(new Copy(local, OwnNames.below(other == null ? "" : other, directory)));
                    }
                } catch (CommandException e) {
                    problems.add(String.valueOf(e.getMessage()));
                }
            }
            if (isAnyLeft || kept.size() == staging.children().size()) {
                parts.add(with(staging, kept));
            }
        }

        /**
         * Before the job for what is brought; then where it was to be held, or where its output can be fetched.
         *
         * @param afterwards absent where nothing is fetched: nobody may be there any more to release a job that was left alone
         */
        private void held(List<XmlElement> parts, @Nullable String afterwards) {
            if ("StageIn".equals(afterwards)) {
                problems.add("holdState StageIn is what files of your own machine are brought with; leave it out.");
            }
            parts.removeIf(part -> part.is(Names.TYPES, "holdState"));
            parts.add(text(Names.TYPES, "holdState", "StageIn"));
            if (afterwards != null) {
                added(parts, "extensions", text("", HOLD_AGAIN, afterwards));
            }
        }

        private void cleanedUp(List<XmlElement> parts) {
            XmlElement file = text(Names.RFT, "file", "file:///" + ownDirectory + "/");
            added(parts, "fileCleanUp", new XmlElement(Names.RFT, "deletion", List.of(), List.of(file), ""));
        }

        private static void added(List<XmlElement> parts, String name, XmlElement child) {
            for (int i = 0; i < parts.size(); i++) {
                if (parts.get(i).is(Names.DESCRIPTION, name)) {
                    List<XmlElement> children = new ArrayList<>(parts.get(i).children());
                    children.add(child);
                    parts.set(i, with(parts.get(i), children));
                    return;
                }
            }
            parts.add(new XmlElement(Names.DESCRIPTION, name, List.of(), List.of(child), ""));
        }

        private static XmlElement with(XmlElement element, List<XmlElement> children) {
            return new XmlElement(element.namespace(), element.name(), element.attributes(), children, element.text());
        }

        private static XmlElement text(String namespace, String name, String text) {
            return new XmlElement(namespace, name, List.of(), List.of(), text);
        }
    }
}
