// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.access.Jobs;
import org.jobgate.adl.RuntimeEnvironments;
import org.jobgate.job.Resource;
import org.jobgate.lrm.LrmCapabilities;
import org.jspecify.annotations.Nullable;

/** This gateway as a ComputingService of GLUE 2 (GFD.147), with all that ARC's clients look at when they choose where to submit. */
final class ServiceInfo {

    private static final String VALIDITY = "60";
    private static final long MEBIBYTES_UNKNOWN = 0;
    private static final Pattern VERSIONED = Pattern.compile("(.+?)-([0-9].*)");

    private final String url;
    private final String host;
    private final String version;
    private final Jobs jobs;
    private final Shares shares;
    private final RuntimeEnvironments environments;
    private final Clock clock;

    /** @param url where the door is, without a path */
    ServiceInfo(
            String url,
            String host,
            String version,
            Jobs jobs,
            Shares shares,
            RuntimeEnvironments environments,
            Clock clock) {
        this.url = requireNonNull(url, "url is null");
        this.host = requireNonNull(host, "host is null");
        this.version = requireNonNull(version, "version is null");
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.shares = requireNonNull(shares, "shares is null");
        this.environments = requireNonNull(environments, "environments is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    Element document() {
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        Element.Builder service = entity("ComputingService", "Service", now)
                .leaf("ID", "urn:ogf:ComputingService:" + host + ":arex")
                .leaf("Name", host)
                .leaf("Capability", "executionmanagement.jobcreation")
                .leaf("Capability", "executionmanagement.jobdescription")
                .leaf("Capability", "executionmanagement.jobmanagement")
                .leaf("Capability", "data.access.sessiondir")
                .leaf("Type", "org.nordugrid.arex")
                .leaf("QualityLevel", "production")
                .leaf(
                        "Complexity",
                        "endpoint=1,share=" + shares.all().size() + ",resource="
                                + jobs.lrms().size());
        service.add(endpoint(now));
        shares.all().forEach(share -> service.add(share(share, now)));
        List<RuntimeEnvironments.Offered> offered = environments.offered();
        jobs.lrms().forEach(lrm -> service.add(manager(lrm, offered, now)));
        Element domain = new Element.Builder("AdminDomain")
                .attribute("BaseType", "Domain")
                .leaf("ID", "urn:ad:" + host)
                .leaf("Name", host)
                .add(Element.of("Services", List.of(service.build())))
                .build();
        return Element.of(
                "InfoRoot", List.of(new Element("Domains", Map.of("xmlns", ActivityInfo.GLUE), "", List.of(domain))));
    }

    private static Element.Builder entity(String name, String base, String now) {
        return new Element.Builder(name)
                .attribute("BaseType", base)
                .attribute("CreationTime", now)
                .attribute("Validity", VALIDITY);
    }

    private String endpointId() {
        return "urn:ogf:ComputingEndpoint:" + host + ":arcrest:" + url + ArcServlet.PATH;
    }

    private Element endpoint(String now) {
        Element.Builder associations = new Element.Builder("Associations");
        shares.all().forEach(share -> associations.leaf("ComputingShareID", Shares.id(host, share.name())));
        return entity("ComputingEndpoint", "Endpoint", now)
                .leaf("ID", endpointId())
                .leaf("Name", "ARC REST")
                .leaf("URL", url + "/arex")
                .leaf("Capability", "executionmanagement.jobcreation")
                .leaf("Capability", "executionmanagement.jobdescription")
                .leaf("Capability", "executionmanagement.jobmanagement")
                .leaf("Capability", "information.discovery.job")
                .leaf("Technology", "webservice")
                .leaf("InterfaceName", "org.nordugrid.arcrest")
                .leaf("InterfaceVersion", "1.1")
                .leaf("InterfaceVersion", "1.0")
                .leaf("Implementor", "Jobgate")
                .leaf("ImplementationName", "jobgate")
                .leaf("ImplementationVersion", version)
                .leaf("QualityLevel", "production")
                .leaf("HealthState", "ok")
                .leaf("ServingState", servingState())
                .leaf("Staging", "staginginout")
                .leaf("JobDescription", "emies:adl")
                .leaf("JobDescription", "nordugrid:xrsl")
                .add(associations.build())
                .build();
    }

    /** As GLUE 2 has it: who is in a drain runs what is there and takes nothing new. */
    private String servingState() {
        return jobs.isAccepting() ? "production" : "draining";
    }

    private Element share(Shares.Share share, String now) {
        LrmCapabilities.Queue queue = queue(share);
        Element.Builder out = entity("ComputingShare", "Share", now)
                .leaf("ID", Shares.id(host, share.name()))
                .leaf("Name", share.name())
                .leaf("MappingQueue", queue == null ? share.name() : queue.name());
        if (queue != null) {
            out.leaf(
                            "MaxWallTime",
                            queue.maxWallTime() == null
                                    ? null
                                    : queue.maxWallTime().toSeconds())
                    .leaf("MaxSlotsPerJob", queue.maxProcessors())
                    .leaf("MaxMainMemory", queue.memoryMiB());
        }
        out.leaf("ServingState", servingState()).leaf("TotalJobs", running(queue) + waiting(queue));
        out.leaf("RunningJobs", running(queue))
                .leaf("WaitingJobs", waiting(queue))
                .leaf("SuspendedJobs", 0);
        out.leaf("StagingJobs", 0).leaf("PreLRMSWaitingJobs", 0);
        if (queue != null) {
            out.leaf("FreeSlots", queue.freeProcessors());
        }
        return out.leaf("UsedSlots", running(queue))
                .leaf("RequestedSlots", waiting(queue))
                .add(new Element.Builder("Associations")
                        .leaf("ComputingEndpointID", endpointId())
                        .leaf("ExecutionEnvironmentID", environmentId(share.lrm()))
                        .build())
                .build();
    }

    private LrmCapabilities.@Nullable Queue queue(Shares.Share share) {
        LrmCapabilities known = jobs.capabilities(share.lrm());
        return share.queue() == null
                ? known.defaultQueue().orElse(null)
                : known.queues().stream()
                        .filter(queue -> queue.name().equals(share.queue()))
                        .findFirst()
                        .orElse(null);
    }

    private static long running(LrmCapabilities.@Nullable Queue queue) {
        return queue == null || queue.runningJobs() == null ? 0 : queue.runningJobs();
    }

    private static long waiting(LrmCapabilities.@Nullable Queue queue) {
        return queue == null || queue.waitingJobs() == null ? 0 : queue.waitingJobs();
    }

    private String environmentId(String lrm) {
        return "urn:ogf:ExecutionEnvironment:" + host + ":" + lrm;
    }

    private Element manager(String lrm, List<RuntimeEnvironments.Offered> offered, String now) {
        LrmCapabilities known = jobs.capabilities(lrm);
        LrmCapabilities.Queue queue = known.defaultQueue().orElse(null);
        List<Element> machines = new ArrayList<>();
        Element.Builder machine = entity("ExecutionEnvironment", "Resource", now)
                .leaf("ID", environmentId(lrm))
                .leaf("Name", lrm)
                .leaf("Platform", platform(queue));
        if (queue != null && queue.memoryMiB() != null && queue.memoryMiB() > MEBIBYTES_UNKNOWN) {
            machine.leaf("MainMemorySize", queue.memoryMiB());
        }
        machines.add(machine.leaf("OSFamily", "linux")
                .leaf("ConnectivityIn", "false")
                .leaf("ConnectivityOut", "true")
                .build());
        return entity("ComputingManager", "Manager", now)
                .leaf("ID", "urn:ogf:ComputingManager:" + host + ":" + lrm)
                .leaf("Name", lrm)
                .leaf("ProductName", known.kind().isEmpty() ? lrm.toLowerCase(java.util.Locale.ROOT) : known.kind())
                .leaf("TotalSlots", queue == null ? null : queue.processors())
                .add(Element.of("ExecutionEnvironments", machines))
                .add(Element.of("ApplicationEnvironments", software(lrm, known, offered, now)))
                .build();
    }

    /** The runtime environments that jobs get at this LRM: those with a program only where it can run one before a job. */
    private List<Element> software(
            String lrm, LrmCapabilities known, List<RuntimeEnvironments.Offered> offered, String now) {
        boolean runsPrograms = known.resources() == null || known.resources().contains(Resource.PRE_COMMAND);
        List<Element> software = new ArrayList<>();
        software.add(software(lrm, RuntimeEnvironments.PROXY, now));
        for (RuntimeEnvironments.Offered one : offered) {
            if (runsPrograms || !one.runsProgram()) {
                software.add(software(lrm, one.name(), now));
            }
        }
        return software;
    }

    /** As ARC's clients read such a name: its version begins with the digit behind a hyphen. */
    private Element software(String lrm, String name, String now) {
        Matcher versioned = VERSIONED.matcher(name);
        boolean hasVersion = versioned.matches();
        return entity("ApplicationEnvironment", "Entity", now)
                .leaf("ID", "urn:ogf:ApplicationEnvironment:" + host + ":" + lrm + ":" + name)
                .leaf("AppName", hasVersion ? versioned.group(1) : name)
                .leaf("AppVersion", hasVersion ? versioned.group(2) : "")
                .leaf("State", "installednotverified")
                .build();
    }

    /** GLUE's word for what {@code uname -m} says. */
    private static String platform(LrmCapabilities.@Nullable Queue queue) {
        String architecture = queue == null ? null : queue.architecture();
        if (architecture == null || architecture.equals("x86_64")) {
            return "amd64";
        }
        return architecture;
    }
}
