// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Architectures and operating systems: the language's names for them, and those of uname(1), which LRMs know. */
final class Hardware {

    private static final Map<String, String> ARCHITECTURES = Map.of(
            "sparc", "sparc64",
            "powerpc", "ppc64le",
            "x86", "i686",
            "x86_32", "i686",
            "x86_64", "x86_64",
            "parisc", "parisc",
            "mips", "mips64",
            "ia64", "ia64",
            "arm", "aarch64");

    /** Those of which uname -s has a word. */
    private static final Map<String, String> SYSTEMS = Map.of(
            "LINUX", "Linux",
            "Solaris", "SunOS",
            "SunOS", "SunOS",
            "MACOS", "Darwin",
            "AIX", "AIX",
            "HPUX", "HP-UX",
            "FreeBSD", "FreeBSD",
            "NetBSD", "NetBSD",
            "OpenBSD", "OpenBSD",
            "GNU_Hurd", "GNU");

    /** The rest of the language's list (facts/bes-jsdl.md section 7). */
    private static final Set<String> OTHER_SYSTEMS = Set.copyOf(Arrays.asList(
            ("Unknown ATTUNIX DGUX DECNT Tru64_UNIX OpenVMS MVS OS400 OS_2 JavaVM MSDOS WIN3x WIN95 WIN98 WINNT WINCE NCR3000 NetWare OSF DC_OS"
                            + " Reliant_UNIX SCO_UnixWare SCO_OpenServer Sequent IRIX U6000 ASERIES TandemNSK TandemNT BS2000 Lynx XENIX VM"
                            + " Interactive_UNIX BSDUNIX OS9 MACH_Kernel Inferno QNX EPOC IxWorks VxWorks MiNT BeOS HP_MPE NextStep PalmPilot"
                            + " Rhapsody Windows_2000 Dedicated OS_390 VSE TPF Windows_R_Me Caldera_Open_UNIX Not_Applicable Windows_XP z_OS other")
                    .split(" ")));

    private Hardware() {}

    /** What uname -m says of the architecture that the element names. */
    static String architecture(Node node) {
        String name = Parts.word(node);
        if (name.equals("other")) {
            throw JsdlFaults.unsupported(node, "no LRM knows the architecture 'other'", "Leave it out, or name it.");
        }
        return Optional.ofNullable(ARCHITECTURES.get(name))
                .orElseThrow(() -> JsdlFaults.invalid(
                        node,
                        name,
                        "it must be one of "
                                + String.join(
                                        ", ",
                                        ARCHITECTURES.keySet().stream().sorted().toList())));
    }

    /** The language's name, where it has one. */
    static Optional<String> architectureName(String machine) {
        return named(ARCHITECTURES, machine, List.of("x86"));
    }

    /** What uname -s says of the system that the element names. */
    static String system(Node node) {
        String name = Parts.word(node);
        if (OTHER_SYSTEMS.contains(name)) {
            throw JsdlFaults.unsupported(node, "no LRM here has machines with " + name, "Leave it out, or say LINUX.");
        }
        return Optional.ofNullable(SYSTEMS.get(name))
                .orElseThrow(() -> JsdlFaults.invalid(node, name, "there is no such name of an operating system"));
    }

    static Optional<String> systemName(String system) {
        return named(SYSTEMS, system, List.of("SunOS"));
    }

    private static Optional<String> named(Map<String, String> names, String value, List<String> not) {
        return names.entrySet().stream()
                .filter(entry -> entry.getValue().equals(value) && !not.contains(entry.getKey()))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
