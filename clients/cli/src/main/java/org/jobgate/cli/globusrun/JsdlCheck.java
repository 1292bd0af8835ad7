// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.cli.text.NearestName;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * {@code -validate} for a JSDL document: what can be said of it without asking a service. The service says more, for it knows its batch system
 * and the account's directories.
 */
final class JsdlCheck {
    private static final String JSDL = "http://schemas.ggf.org/jsdl/2005/11/jsdl";
    private static final String POSIX = "http://schemas.ggf.org/jsdl/2005/11/jsdl-posix";
    private static final String HPCPA = "http://schemas.ggf.org/jsdl/2006/07/jsdl-hpcpa";
    private static final String SPMD = "http://schemas.ogf.org/jsdl/2007/02/jsdl-spmd";
    private static final String SWEEP = "http://schemas.ogf.org/jsdl/2009/03/sweep";

    private static final Set<String> POSIX_PARTS = Set.of(
            "Executable",
            "Argument",
            "Input",
            "Output",
            "Error",
            "WorkingDirectory",
            "Environment",
            "WallTimeLimit",
            "FileSizeLimit",
            "CoreDumpLimit",
            "DataSegmentLimit",
            "LockedMemoryLimit",
            "MemoryLimit",
            "OpenDescriptorsLimit",
            "PipeSizeLimit",
            "StackSizeLimit",
            "CPUTimeLimit",
            "ProcessCountLimit",
            "VirtualMemoryLimit",
            "ThreadCountLimit",
            "UserName",
            "GroupName");

    /** What an element of JSDL may hold of JSDL itself. */
    private static final Map<String, Set<String>> PARTS = Map.of(
            "JobDefinition", Set.of("JobDescription"),
            "JobDescription", Set.of("JobIdentification", "Application", "Resources", "DataStaging"),
            "JobIdentification", Set.of("JobName", "Description", "JobAnnotation", "JobProject"),
            "Application", Set.of("ApplicationName", "ApplicationVersion", "Description"),
            "Resources",
                    Set.of(
                            "CandidateHosts",
                            "FileSystem",
                            "ExclusiveExecution",
                            "OperatingSystem",
                            "CPUArchitecture",
                            "IndividualCPUSpeed",
                            "IndividualCPUTime",
                            "IndividualCPUCount",
                            "IndividualNetworkBandwidth",
                            "IndividualPhysicalMemory",
                            "IndividualVirtualMemory",
                            "IndividualDiskSpace",
                            "TotalCPUTime",
                            "TotalCPUCount",
                            "TotalPhysicalMemory",
                            "TotalVirtualMemory",
                            "TotalDiskSpace",
                            "TotalResourceCount"),
            "DataStaging",
                    Set.of("FileName", "FilesystemName", "CreationFlag", "DeleteOnTermination", "Source", "Target"),
            "Source", Set.of("URI"),
            "Target", Set.of("URI"));

    private static final Map<String, Set<String>> APPLICATIONS = Map.of(
            "POSIXApplication",
            POSIX_PARTS,
            "HPCProfileApplication",
            Set.of("Executable", "Argument", "Input", "Output", "Error", "WorkingDirectory", "Environment", "UserName"),
            "SPMDApplication",
            Set.of("NumberOfProcesses", "ProcessesPerHost", "ThreadsPerProcess", "SPMDVariation"));

    private static final Map<String, String> NAMESPACES =
            Map.of("POSIXApplication", POSIX, "HPCProfileApplication", HPCPA, "SPMDApplication", SPMD);

    private static final Set<String> FLAGS = Set.of("overwrite", "append", "dontOverwrite");

    private final List<String> problems = new ArrayList<>();

    private JsdlCheck() {}

    /** What is wrong, each with its path; empty where nothing is. */
    static List<String> problems(XmlElement document) {
        JsdlCheck check = new JsdlCheck();
        if (!document.namespace().equals(JSDL)) {
            check.problems.add(document.name() + " is of the draft " + document.namespace() + "; write it in " + JSDL);
            return check.problems;
        }
        check.parts(document, document.name());
        if (document.children().stream().anyMatch(child -> child.namespace().equals(SWEEP))) {
            check.problems.add(
                    "a sweep describes several jobs, and this command submits one: create it with bes create, or as an"
                            + " array of the REST API");
        }
        XmlElement description = check.one(document, "JobDescription", document.name());
        if (description != null) {
            check.description(description, document.name() + "/JobDescription");
        }
        return check.problems;
    }

    /** The only child of JSDL with this name; null, and a problem, where there is another number of them. */
    private @Nullable XmlElement one(XmlElement parent, String name, String path) {
        List<XmlElement> found =
                parent.children().stream().filter(child -> child.is(JSDL, name)).toList();
        if (found.size() == 1) {
            return found.getFirst();
        }
        problems.add(path + (found.isEmpty() ? " needs a " + name : " may hold one " + name + " only"));
        return null;
    }

    /** That what an element holds of JSDL is known. Elements of other namespaces are for the service to judge. */
    private void parts(XmlElement element, String path) {
        Set<String> known = PARTS.get(element.name());
        if (known == null) {
            return;
        }
        for (XmlElement child : element.children()) {
            if (child.namespace().equals(JSDL) && !known.contains(child.name())) {
                problems.add(path + "/" + child.name() + " is not known." + NearestName.question(child.name(), known));
            } else if (child.namespace().isEmpty()) {
                problems.add(path + "/" + child.name() + " is in no namespace; write it in " + JSDL);
            }
        }
    }

    private void description(XmlElement description, String path) {
        parts(description, path);
        for (XmlElement part : description.children()) {
            parts(part, path + "/" + part.name());
            if (part.is(JSDL, "DataStaging")) {
                staging(part, path + "/DataStaging");
            }
        }
        XmlElement application = one(description, "Application", path);
        if (application == null) {
            return;
        }
        List<XmlElement> kinds = application.children().stream()
                .filter(child -> APPLICATIONS.containsKey(child.name()))
                .toList();
        if (kinds.size() != 1) {
            problems.add(path
                    + "/Application needs one POSIXApplication, HPCProfileApplication or SPMDApplication, and holds "
                    + kinds.size());
            return;
        }
        application(kinds.getFirst(), path + "/Application/" + kinds.getFirst().name());
    }

    private void application(XmlElement application, String path) {
        String namespace = NAMESPACES.getOrDefault(application.name(), "");
        if (!application.namespace().equals(namespace)) {
            problems.add(path + " is in namespace " + application.namespace() + "; write it in " + namespace);
            return;
        }
        Set<String> own = APPLICATIONS.getOrDefault(application.name(), Set.of());
        boolean hasProgram = false;
        for (XmlElement part : application.children()) {
            String where = path + "/" + part.name();
            boolean isOwn = part.namespace().equals(namespace) && own.contains(part.name());
            boolean isPosix =
                    namespace.equals(SPMD) && part.namespace().equals(POSIX) && POSIX_PARTS.contains(part.name());
            if (!isOwn && !isPosix) {
                problems.add(where + " is not known." + NearestName.question(part.name(), own));
            }
            hasProgram |= part.name().equals("Executable") && !part.text().isBlank();
            if (part.name().endsWith("Limit")) {
                limit(part, where);
            }
        }
        if (!hasProgram) {
            problems.add(path + " needs an Executable");
        }
    }

    private void limit(XmlElement part, String where) {
        String text = part.text().strip();
        try {
            if (text.length() > 40 || new BigDecimal(text).signum() < 0) {
                problems.add(where + " is " + text + "; a number from 0 is needed");
            }
        } catch (NumberFormatException e) {
            problems.add(where + " is " + text + ", which is not a number");
        }
    }

    private void staging(XmlElement staging, String path) {
        String file = staging.childText(JSDL, "FileName");
        if (file == null || file.isBlank()) {
            problems.add(path + " needs a FileName");
        }
        String flag = staging.childText(JSDL, "CreationFlag");
        if (flag == null || !FLAGS.contains(flag.strip())) {
            problems.add(path + " needs a CreationFlag: overwrite, append or dontOverwrite");
        }
    }
}
