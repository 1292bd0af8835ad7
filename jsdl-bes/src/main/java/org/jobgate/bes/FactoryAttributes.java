// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.net.URI;
import java.util.List;
import java.util.Objects;
import javax.xml.namespace.QName;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.job.Job;
import org.jobgate.limits.Limit;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.soap.SoapCall;
import org.jobgate.store.JobQuery;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;

/**
 * GetFactoryAttributesDocument: what the gateway is, and one contained resource for each queue of each LRM (GFD.108 section 5.3.5). What an LRM does
 * not say of itself is left out. Activities are the caller's own.
 */
final class FactoryAttributes {

    private static final String LRM_TYPE = "http://schemas.ogf.org/bes/2006/08/local-resource-manager/";
    private static final long MIB = 1L << 20;
    private static final QName BASIC_TYPE = BesNames.factory("BasicResourceAttributesDocumentType");

    private final Jobs jobs;
    private final Acceptance acceptance;
    private final Limit references;
    private final String service;

    FactoryAttributes(Jobs jobs, Acceptance acceptance, BesSettings settings, String service) {
        this.jobs = jobs;
        this.acceptance = acceptance;
        this.references = settings.references();
        this.service = service;
    }

    /** A queue of an LRM; an LRM of which nothing is known has none. */
    private record Resource(String lrm, String kind, LrmCapabilities.Queue queue) {}

    XmlContent answer(Caller caller, SoapCall call) {
        if (!call.body().children().isEmpty()) {
            throw BesFaults.invalid(
                    "GetFactoryAttributesDocument",
                    "GetFactoryAttributesDocument holds elements, and none is known here.",
                    "Send it empty.");
        }
        long live = jobs.live(caller) + jobs.groups().live(caller);
        List<Job> listed = references.value() == 0
                ? List.of()
                : jobs.list(
                        caller,
                        JobQuery.builder()
                                .limit((int) references.value())
                                .newestFirst()
                                .build());
        List<Resource> resources = jobs.lrms().stream()
                .flatMap(lrm -> {
                    LrmCapabilities known = jobs.capabilities(lrm);
                    return known.queues().stream().map(queue -> new Resource(lrm, known.kind(), queue));
                })
                .toList();
        boolean isAccepting = acceptance.isOn();
        String host = URI.create(service).getHost();
        return out -> {
            out.open(BesNames.factory("GetFactoryAttributesDocumentResponse"));
            out.open(BesNames.factory("FactoryResourceAttributesDocument"));
            gateway(out, host, resources);
            out.element(BesNames.factory("IsAcceptingNewActivities"), Boolean.toString(isAccepting));
            out.element(BesNames.factory("CommonName"), host);
            out.element(
                    BesNames.factory("LongDescription"),
                    "Jobgate at " + host + ", in front of " + String.join(", ", jobs.lrms()) + ".");
            out.element(BesNames.factory("TotalNumberOfActivities"), Long.toString(live));
            listed.forEach(job -> ActivityId.of(job.id())
                    .written(BesNames.factory("ActivityReference"), service)
                    .write(out));
            out.element(BesNames.factory("TotalNumberOfContainedResources"), Integer.toString(resources.size()));
            resources.forEach(resource -> contained(out, resource));
            out.element(BesNames.factory("NamingProfile"), BesNames.BASIC_ADDRESSING);
            out.element(BesNames.factory("BESExtension"), BesNames.HPC_BASIC_PROFILE);
            out.element(BesNames.factory("BESExtension"), BesNames.OURS);
            String first = jobs.lrms().iterator().next();
            out.element(
                    BesNames.factory("LocalResourceManagerType"),
                    type(jobs.capabilities(first).kind()));
            out.close().close();
        };
    }

    /** The kind of LRM as a URI: the last part is the gateway's own name of the kind. */
    private static String type(String kind) {
        return LRM_TYPE + (kind.isEmpty() ? "unknown" : kind);
    }

    private static void gateway(XmlWriter out, String host, List<Resource> resources) {
        out.open(BesNames.factory("BasicResourceAttributesDocument"));
        out.element(BesNames.factory("ResourceName"), host);
        out.open(BesNames.factory("OperatingSystem"));
        out.open(BesNames.jsdl("OperatingSystemType"));
        out.element(BesNames.jsdl("OperatingSystemName"), "LINUX").close();
        out.element(BesNames.jsdl("OperatingSystemVersion"), System.getProperty("os.version"));
        out.close();
        List<String> architectures = resources.stream()
                .map(resource -> resource.queue().architecture())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        if (architectures.size() == 1) {
            architecture(out, architectures.getFirst());
        }
        out.close();
    }

    private static void architecture(XmlWriter out, String machine) {
        out.open(BesNames.factory("CPUArchitecture"));
        out.element(BesNames.jsdl("CPUArchitectureName"), word(machine));
        out.close();
    }

    /** The words of JSDL 1.0 section 5.2.1. */
    static String word(String machine) {
        return switch (machine) {
            case "x86_64", "sparc", "parisc", "mips", "ia64", "arm", "powerpc" -> machine;
            case "amd64", "X86_64" -> "x86_64";
            case "i386", "i486", "i586", "i686", "INTEL" -> "x86_32";
            case "aarch64", "armv7l", "armv8l" -> "arm";
            case "ppc", "ppc64", "ppc64le" -> "powerpc";
            default -> "other";
        };
    }

    private static void contained(XmlWriter out, Resource resource) {
        LrmCapabilities.Queue queue = resource.queue();
        out.open(BesNames.factory("ContainedResource")).type(BASIC_TYPE);
        out.element(
                BesNames.factory("ResourceName"),
                queue.isWhole() ? resource.lrm() : resource.lrm() + "/" + queue.name());
        if (queue.architecture() != null) {
            architecture(out, queue.architecture());
        }
        if (queue.processors() != null) {
            out.element(BesNames.factory("CPUCount"), Long.toString(queue.processors()));
        }
        if (queue.memoryMiB() != null) {
            out.element(BesNames.factory("PhysicalMemory"), Long.toString(queue.memoryMiB() * MIB));
        }
        queue(out, resource);
        out.close();
    }

    /** What BES has no words for. */
    private static void queue(XmlWriter out, Resource resource) {
        LrmCapabilities.Queue queue = resource.queue();
        out.open(BesNames.ours("Queue"));
        out.attribute("lrm", resource.lrm());
        out.attribute("type", type(resource.kind()));
        if (!queue.isWhole()) {
            out.attribute("name", queue.name());
        }
        out.attribute("default", Boolean.toString(queue.isDefault()));
        if (queue.state() != null) {
            out.attribute("state", queue.state());
        }
        if (queue.maxWallTime() != null) {
            out.attribute(
                    "maxWallTimeSeconds", Long.toString(queue.maxWallTime().toSeconds()));
        }
        if (queue.freeProcessors() != null) {
            out.attribute("freeProcessors", Long.toString(queue.freeProcessors()));
        }
        out.close();
    }
}
