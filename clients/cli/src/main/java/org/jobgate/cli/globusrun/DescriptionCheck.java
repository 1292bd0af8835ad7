// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.NearestName;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;

/** {@code -validate}: what can be said of a description without asking a service (facts/gram4.md section 2.1). */
final class DescriptionCheck {
    private static final Set<String> TEXTS = Set.of(
            "executable", "directory", "argument", "stdin", "stdout", "stderr", "libraryPath", "project", "queue");
    private static final Set<String> ANY_NUMBER = Set.of("argument", "environment", "libraryPath");
    private static final Set<String> POSITIVE = Set.of("count", "hostCount");
    private static final Set<String> NUMBERS = Set.of("maxTime", "maxWallTime", "maxCpuTime", "maxMemory", "minMemory");
    private static final Set<String> COMPLEX = Set.of(
            "factoryEndpoint",
            "jobCredentialEndpoint",
            "stagingCredentialEndpoint",
            "environment",
            "fileStageIn",
            "fileStageOut",
            "fileCleanUp",
            "extensions");
    private static final Set<String> JOB_TYPES = Set.of("mpi", "single", "multiple", "condor");
    private static final Set<String> HOLDABLE = Set.of("StageIn", "Pending", "StageOut", "CleanUp");

    /** The elements that have types of GRAM's own. */
    private static final List<String> TYPES = List.of("holdState", "localUserId");

    /** All that a job description may hold. */
    private static final Set<String> KNOWN = Stream.of(TEXTS, POSITIVE, NUMBERS, COMPLEX, Set.of("jobType"))
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    private final List<String> problems = new ArrayList<>();

    private DescriptionCheck() {}

    /** @throws CommandException naming every problem found */
    static void check(Path file, OwnNames names) throws CommandException {
        List<String> problems = problems(JobDescriptionFile.read(file), names);
        if (!problems.isEmpty()) {
            throw new CommandException(
                    ExitStatus.USAGE, "Job description " + file + " is not valid:\n  " + String.join("\n  ", problems));
        }
    }

    static List<String> problems(String qualified, OwnNames names) throws CommandException {
        try {
            XmlElement root = JobDescriptionFile.parsed(qualified);
            XmlElement jsdl = JobDescriptionFile.jsdl(root);
            if (jsdl != null) {
                return JsdlCheck.problems(jsdl);
            }
            DescriptionCheck check = new DescriptionCheck();
            boolean isMulti = root.name().equals("multiJob");
            check.job(root, isMulti, "");
            if (isMulti && root.child(Names.DESCRIPTION, "job") == null) {
                check.problems.add("a multiJob needs at least one job");
            }
            check.problems.addAll(OwnFiles.problems(root, names));
            return check.problems;
        } catch (XMLStreamException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "The description is not XML: " + Sentence.of(e.getMessage()), e);
        }
    }

    private void job(XmlElement job, boolean isMulti, String path) {
        List<String> seen = new ArrayList<>();
        int subJob = 0;
        for (XmlElement part : job.children()) {
            String where = path + part.name();
            if (isMulti && part.is(Names.DESCRIPTION, "job")) {
                job(part, false, "job " + ++subJob + ": ");
                continue;
            }
            if (seen.contains(part.name()) && !ANY_NUMBER.contains(part.name())) {
                problems.add(where + " stands more than once");
            }
            seen.add(part.name());
            part(part, where);
        }
        if (!isMulti && subJob == 0 && path.isEmpty() && !seen.contains("executable")) {
            problems.add("executable is missing");
        }
    }

    private void part(XmlElement part, String where) {
        if (part.namespace().equals(Names.TYPES)) {
            typesPart(part, where);
            return;
        }
        if (!part.namespace().equals(Names.DESCRIPTION)) {
            problems.add(where + " is in namespace " + part.namespace() + ", which has no place here");
            return;
        }
        String name = part.name();
        if (TEXTS.contains(name)) {
            simple(part, where);
        } else if (POSITIVE.contains(name)) {
            number(part, where, 1);
        } else if (NUMBERS.contains(name)) {
            number(part, where, 0);
        } else if (name.equals("jobType")) {
            oneOf(part, where, JOB_TYPES);
        } else if (name.equals("environment")) {
            environment(part, where);
        } else if (!COMPLEX.contains(name)) {
            problems.add(where + " is not known (words of a site's own go into extensions)."
                    + NearestName.question(name, KNOWN));
        }
    }

    private void typesPart(XmlElement part, String where) {
        if (part.name().equals("holdState")) {
            oneOf(part, where, HOLDABLE);
        } else if (!part.name().equals("localUserId")) {
            problems.add(where + " is not known." + NearestName.question(part.name(), TYPES));
        }
    }

    private void environment(XmlElement part, String where) {
        String name = part.childText(Names.DESCRIPTION, "name");
        if (name == null || name.isEmpty() || part.child(Names.DESCRIPTION, "value") == null) {
            problems.add(where + " needs a name and a value");
        }
    }

    private void simple(XmlElement part, String where) {
        if (!part.children().isEmpty()) {
            problems.add(where + " holds elements; only text may stand there");
        }
    }

    private void number(XmlElement part, String where, long least) {
        String text = part.text().strip();
        try {
            if (Long.parseLong(text) >= least) {
                return;
            }
        } catch (NumberFormatException e) {
            problems.add(where + " is " + text + ", which is not a number");
            return;
        }
        problems.add(where + " is " + text + "; at least " + least + " is needed");
    }

    private void oneOf(XmlElement part, String where, Set<String> allowed) {
        String text = part.text().strip();
        if (!allowed.contains(text)) {
            problems.add(where + " is " + text + "; one of "
                    + String.join(", ", allowed.stream().sorted().toList()) + " is needed");
        }
    }
}
