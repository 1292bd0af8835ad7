// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobType;
import org.jobgate.job.Resources;
import org.jspecify.annotations.Nullable;

/** The application of a job: a POSIXApplication, HPCProfileApplication or SPMDApplication, of which there is one. */
final class Application {

    private static final String VARIATIONS = "http://www.ogf.org/jsdl/2007/02/jsdl-spmd/";

    /** Those that mean: the processes are started by a launcher of MPI. Which one is the site's choice. */
    private static final Set<String> MPI = Set.of(
            "MPI",
            "GridMPI",
            "IntelMPI",
            "LAM-MPI",
            "MPICH1",
            "MPICH2",
            "MPICH-GM",
            "MPICH-MX",
            "MVAPICH",
            "MVAPICH2",
            "OpenMPI");

    private static final String OPEN_MP = "OpenMP";
    private static final int MOST = 10_000_000;

    private final Node node;

    /**
     * How many processes an SPMDApplication asks for; all absent for other applications.
     *
     * @param processes absent where {@code isTotal}, or where nothing is said
     * @param isTotal as many as the TotalCPUCount is
     * @param threads of each process
     * @param isIndividual as many as the IndividualCPUCount is
     */
    record Processes(
            boolean isParallel,
            @Nullable Integer processes,
            boolean isTotal,
            @Nullable Integer perHost,
            @Nullable Integer threads,
            boolean isIndividual) {

        static final Processes ONE = new Processes(false, null, false, null, null, false);
    }

    private Application(Node node) {
        this.node = node;
    }

    /** The application in an Application element, whose other parts are labels. */
    static Application find(Parts parts) {
        List<Node> found = new ArrayList<>();
        found.addAll(parts.many(Names.of(Names.POSIX, "POSIXApplication")));
        found.addAll(parts.many(Names.of(Names.HPCPA, "HPCProfileApplication")));
        found.addAll(parts.many(Names.of(Names.SPMD, "SPMDApplication")));
        parts.end();
        if (found.isEmpty()) {
            throw JsdlFaults.invalid(
                    parts.node(),
                    "",
                    "it must hold a POSIXApplication, an HPCProfileApplication or an SPMDApplication; no applications are known here by their name alone");
        }
        if (found.size() > 1) {
            throw JsdlFaults.invalid(
                    found.get(1), "", "a job has one application, and the document has " + found.size());
        }
        return new Application(found.getFirst());
    }

    private boolean isSpmd() {
        return node.name().getNamespaceURI().equals(Names.SPMD);
    }

    /** The namespace of the elements that all three have. */
    private String namespace() {
        return node.name().getNamespaceURI().equals(Names.HPCPA) ? Names.HPCPA : Names.POSIX;
    }

    /** The local account that it asks for. */
    Optional<String> userName() {
        return node.child(Names.of(namespace(), "UserName")).map(Parts::word);
    }

    /**
     * Reads all of it but how many processes there are.
     *
     * @param group the primary group of the account
     */
    Processes read(
            Places places,
            Supplier<Optional<String>> group,
            JobDescription.Builder job,
            Resources.Builder resources,
            Labels labels) {
        Parts parts = new Parts(node);
        parts.attribute("name"); // by which nothing of the document refers to it
        String executable = places.path(parts.one(Names.of(namespace(), "Executable"))
                .orElseThrow(() -> JsdlFaults.invalid(
                        node, "", "it must name an Executable; no applications are known here by their name alone")));
        if (executable.isEmpty()) {
            throw JsdlFaults.invalid(node, "", "its Executable must not be empty");
        }
        job.executable(executable);
        job.arguments(parts.many(Names.of(namespace(), "Argument")).stream()
                .map(places::path)
                .toList());
        job.stdin(path(parts, places, "Input"));
        job.stdout(path(parts, places, "Output"));
        job.stderr(path(parts, places, "Error"));
        job.directory(path(parts, places, "WorkingDirectory"));
        job.environment(parts.many(Names.of(namespace(), "Environment")).stream()
                .map(variable -> variable(variable, places))
                .toList());
        parts.one(Names.of(namespace(), "UserName")).ifPresent(Parts::word);
        if (namespace().equals(Names.POSIX) && !isSpmd()) {
            Limits.read(parts, job, resources);
            parts.one(Names.of(Names.POSIX, "GroupName")).ifPresent(node -> checkGroup(node, group));
        }
        Processes processes = isSpmd() ? processes(parts, labels) : Processes.ONE;
        parts.end();
        job.jobType(processes.isParallel() ? JobType.MPI : JobType.SINGLE);
        return processes;
    }

    /** A job runs in the primary group of its account. Only root could give its processes another one; its other groups they have anyway. */
    private static void checkGroup(Node node, Supplier<Optional<String>> group) {
        String wanted = Parts.word(node);
        String primary = group.get()
                .orElseThrow(() -> JsdlFaults.unsupported(
                        node, "the primary group of the account is not known to this host", "Leave it out."));
        if (!wanted.equals(primary)) {
            throw JsdlFaults.unsupported(
                    node,
                    "a job runs in the primary group of its account, " + JsdlFaults.shown(primary)
                            + ", and has the account's other groups beside it; none of them can be made its first",
                    "Leave it out, or name that group.");
        }
    }

    /** Files that are named by an empty text are not named. */
    private @Nullable String path(Parts parts, Places places, String name) {
        return parts.one(Names.of(namespace(), name))
                .map(places::path)
                .filter(path -> !path.isEmpty())
                .orElse(null);
    }

    private static EnvironmentVariable variable(Node node, Places places) {
        String text = Parts.text(node, "name", "filesystemName");
        String value = node.attribute("filesystemName")
                .map(name -> places.in(node, name.strip(), text))
                .orElse(text);
        String name = node.attribute("name").map(String::strip).orElse("");
        try {
            return new EnvironmentVariable(name, value);
        } catch (IllegalArgumentException e) {
            throw JsdlFaults.invalid(node, name, String.valueOf(e.getMessage()));
        }
    }

    private static Processes processes(Parts parts, Labels labels) {
        Node variation = parts.needed(Names.of(Names.SPMD, "SPMDVariation"));
        String word = Parts.word(variation);
        String kind = word.startsWith(VARIATIONS) ? word.substring(VARIATIONS.length()) : word;
        if (!word.startsWith(VARIATIONS) || !(MPI.contains(kind) || kind.equals(OPEN_MP))) {
            throw JsdlFaults.unsupported(
                    variation,
                    "parallel jobs are started by the site's MPI, or have threads only (OpenMP)",
                    "Say " + VARIATIONS + "MPI or " + VARIATIONS + OPEN_MP + ".");
        }
        if (!kind.equals("MPI") && !kind.equals(OPEN_MP)) {
            labels.add(Labels.VARIATION, word);
        }
        Node processes = parts.one(Names.of(Names.SPMD, "NumberOfProcesses")).orElse(null);
        Node perHost = parts.one(Names.of(Names.SPMD, "ProcessesPerHost")).orElse(null);
        Node threads = parts.one(Names.of(Names.SPMD, "ThreadsPerProcess")).orElse(null);
        boolean isTotal = isActual(processes, "actualtotalcpucount");
        boolean isIndividual = isActual(threads, "actualindividualcpucount");
        Integer number = isTotal ? null : count(processes, "actualtotalcpucount");
        if (kind.equals(OPEN_MP) && (isTotal || (number != null && number != 1))) {
            throw JsdlFaults.invalid(variation, word, "a job of OpenMP is one process; say its ThreadsPerProcess");
        }
        return new Processes(
                !kind.equals(OPEN_MP),
                number,
                isTotal,
                count(perHost),
                isIndividual ? null : count(threads, "actualindividualcpucount"),
                isIndividual);
    }

    private static boolean isActual(@Nullable Node node, String attribute) {
        return node != null
                && node.attribute(attribute)
                        .map(text -> Parts.truth(node, text))
                        .orElse(false);
    }

    private static @Nullable Integer count(@Nullable Node node, String... attributes) {
        return node == null || (node.text().isBlank() && attributes.length > 0)
                ? null
                : Integer.valueOf((int) Parts.number(node, 1, MOST, attributes));
    }
}
