// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.job.Gpus;

/** Reads the element {@code Resources}. */
final class AdlResources {

    private static final Set<String> SINGLE = Set.of(
            "OperatingSystem",
            "Platform",
            "ParallelEnvironment",
            "Coprocessor",
            "NetworkInfo",
            "NodeAccess",
            "IndividualPhysicalMemory",
            "IndividualVirtualMemory",
            "DiskSpaceRequirement",
            "RemoteSessionAccess",
            "Benchmark",
            "SlotRequirement",
            "QueueName",
            "IndividualCPUTime",
            "TotalCPUTime",
            "WallTime");
    private static final Map<String, String> PLATFORMS =
            Map.of("amd64", "x86_64", "i386", "i386", "itanium", "ia64", "powerpc", "ppc", "sparc", "sparc");
    private static final Map<String, String> FAMILIES =
            Map.of("linux", "Linux", "macosx", "Darwin", "solaris", "SunOS", "windows", "Windows");
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
            "OpenMPI",
            "POE");

    private final ActivityDraft draft;

    private AdlResources(ActivityDraft draft) {
        this.draft = draft;
    }

    static void read(ActivityDraft draft, AdlElement part) {
        AdlValues.each(part, SINGLE, Set.of("RuntimeEnvironment"), new AdlResources(draft)::element);
    }

    private void element(AdlElement element) {
        String name = element.name();
        switch (name) {
            case "QueueName" -> draft.queue(name, AdlValues.word(element));
            case "WallTime" -> draft.wallTime(AdlValues.seconds(element));
            case "TotalCPUTime" -> draft.cpuTime(AdlValues.seconds(element));
            case "IndividualCPUTime" -> draft.processCpuTime(AdlValues.seconds(element));
            case "IndividualPhysicalMemory" -> draft.memory(name, AdlValues.mebibytes(element));
            case "SlotRequirement" -> slots(element);
            case "RuntimeEnvironment" -> runtimeEnvironment(element);
            case "ParallelEnvironment" -> parallel(element);
            case "OperatingSystem" -> operatingSystem(element);
            case "Platform" ->
                draft.resources().architecture(PLATFORMS.get(AdlValues.oneOf(element, PLATFORMS.keySet())));
            case "Coprocessor" -> coprocessor(element);
            default -> further(element);
        }
    }

    private void further(AdlElement element) {
        String name = element.name();
        switch (name) {
            case "DiskSpaceRequirement" -> {
                AdlValues.number(element, 1, Long.MAX_VALUE);
                draft.note(name + " has no effect here: room on disks is not reserved for single jobs.");
            }
            case "NodeAccess" -> {
                AdlValues.oneOf(element, Set.of("inbound", "outbound", "inoutbound"));
                draft.note(name + " has no effect here: what a node of the site can reach, each job there can.");
            }
            case "RemoteSessionAccess" -> AdlValues.truth(element); // its owner always has it
            case "NetworkInfo" -> unsupported(element, "nodes are not chosen by their network");
            case "IndividualVirtualMemory" -> unsupported(element, "virtual memory is not limited");
            default -> unsupported(element, "nodes are not chosen by a benchmark");
        }
    }

    private void unsupported(AdlElement element, String why) {
        if (!element.isOptional()) {
            throw ActivityFaults.ADL.unsupported(element.name(), why, "Leave it out, or mark it as optional.");
        }
        draft.note(element.name() + " has no effect here: " + why + ".");
    }

    private void slots(AdlElement element) {
        AdlValues.needed(element, "NumberOfSlots");
        AdlValues.each(element, Set.of("NumberOfSlots", "SlotsPerHost", "ExclusiveExecution"), Set.of(), child -> {
            switch (child.name()) {
                case "NumberOfSlots" -> draft.slots().slots(AdlValues.count(child));
                case "SlotsPerHost" -> slotsPerHost(child);
                default -> draft.resources().wholeNodes(AdlValues.truth(child));
            }
        });
    }

    private void slotsPerHost(AdlElement element) {
        boolean isAll =
                AdlElement.truth(element.attributes().get("useNumberOfSlots")).orElse(false);
        if (isAll) {
            draft.slots().onOneHost();
        } else {
            draft.slots().perHost(AdlValues.count(element));
        }
    }

    private void runtimeEnvironment(AdlElement element) {
        List<String> options = new ArrayList<>();
        List<String> versions = new ArrayList<>();
        AdlValues.each(element, Set.of("Name", "Version"), Set.of("Option"), child -> {
            switch (child.name()) {
                case "Option" -> options.add(draft.text("Option", AdlValues.text(child)));
                case "Version" -> versions.add(AdlValues.word(child));
                default -> {
                    // read below
                }
            }
        });
        draft.runtimeEnvironment(
                element.name(),
                AdlValues.word(AdlValues.needed(element, "Name")),
                versions.isEmpty() ? null : versions.getFirst(),
                options,
                element.isOptional());
    }

    private void parallel(AdlElement element) {
        AdlValues.each(
                element,
                Set.of("Type", "Version", "ProcessesPerSlot", "ThreadsPerProcess"),
                Set.of("Option"),
                child -> {
                    switch (child.name()) {
                        case "Type" -> mpi(child);
                        case "ProcessesPerSlot" -> draft.slots().processesPerSlot(AdlValues.count(child));
                        case "ThreadsPerProcess" -> draft.slots().threads(AdlValues.count(child));
                        default -> unsupported(child, "the MPI launcher is the site's, with the options of the site");
                    }
                });
    }

    private void mpi(AdlElement type) {
        String word = AdlValues.word(type);
        if (MPI.stream().noneMatch(word::equalsIgnoreCase)) {
            throw ActivityFaults.ADL.unsupported(
                    type.name(),
                    "no parallel environment " + ActivityFaults.shown(word) + " is known here",
                    "Write MPI there, for the site's own.");
        }
        draft.slots().mpi();
    }

    private void operatingSystem(AdlElement element) {
        AdlValues.each(element, Set.of("Name", "Family", "Version"), Set.of(), child -> {
            if (child.name().equals("Family")) {
                draft.resources().operatingSystem(FAMILIES.get(AdlValues.oneOf(child, FAMILIES.keySet())));
            } else {
                draft.note("OperatingSystem: its " + child.name()
                        + " has no effect here: machines are chosen by the family of their system.");
            }
        });
    }

    private void coprocessor(AdlElement element) {
        if (AdlValues.word(element).equalsIgnoreCase("CUDA")) {
            draft.resources().gpus(new Gpus(1, null, null));
        } else {
            unsupported(element, "the site has no coprocessors but graphics processors");
        }
    }
}
