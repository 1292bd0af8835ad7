// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Resource;
import org.jobgate.job.Resources;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmCapabilities.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads the Resources of a job. Of a range the least number is asked for that is in it; of a time the greatest. What the LRM is known to be
 * unable to give is refused here, by the path of its element.
 */
final class ResourceReading {

    private static final long MIB = 1L << 20;
    private static final long MOST_COUNT = 10_000_000;

    /** LRMs that run a job on all hosts that it names, where the language means one of them. */
    private static final Set<String> ON_ALL_HOSTS = Set.of("slurm", "pbs");

    private final Parts parts;
    private final LrmCapabilities lrm;
    private final JobDescription.Builder job;
    private final Resources.Builder resources;
    private int hosts = 1;

    ResourceReading(Parts parts, LrmCapabilities lrm, JobDescription.Builder job, Resources.Builder resources) {
        this.parts = parts;
        this.lrm = lrm;
        this.job = job;
        this.resources = resources;
    }

    /** For a document without Resources. */
    static ResourceReading ofNothing(
            Node application, LrmCapabilities lrm, JobDescription.Builder job, Resources.Builder resources) {
        return new ResourceReading(new Parts(application), lrm, job, resources);
    }

    void read(Application.Processes processes) {
        parts.one(Names.jsdl("ExclusiveExecution")).filter(Parts::truth).ifPresent(node -> {
            requireGiven(node, Resource.WHOLE_NODES);
            resources.wholeNodes(true);
        });
        parts.one(Names.jsdl("OperatingSystem")).ifPresent(this::readSystem);
        parts.one(Names.jsdl("CPUArchitecture")).ifPresent(this::readArchitecture);
        int count = new CountReading(
                        range("TotalCPUCount"), range("IndividualCPUCount"), range("TotalResourceCount"), this)
                .read(processes, job, resources);
        readHosts();
        readMemory();
        readTimes(count);
        refuseUnlessAnything("IndividualCPUSpeed", "no LRM here chooses machines by the speed of their processors");
        refuseUnlessAnything("IndividualNetworkBandwidth", "no LRM here reserves bandwidth of the network");
        refuseUnlessAnything("IndividualVirtualMemory", "no LRM here reserves virtual memory; ask for physical memory");
        refuseUnlessAnything("TotalVirtualMemory", "no LRM here reserves virtual memory; ask for physical memory");
        refuseUnlessAnything("IndividualDiskSpace", "no LRM here reserves space on disks");
        refuseUnlessAnything("TotalDiskSpace", "no LRM here reserves space on disks");
    }

    Node node() {
        return parts.node();
    }

    void setHosts(int value) {
        hosts = value;
        job.hostCount(value);
    }

    private @Nullable Range range(String name) {
        return parts.one(Names.jsdl(name)).map(Range::read).orElse(null);
    }

    private void refuseUnlessAnything(String name, String why) {
        Range range = range(name);
        if (range != null && !range.isAnything()) {
            throw JsdlFaults.unsupported(range.node(), why, "Leave it out.");
        }
    }

    private boolean gives(Resource resource) {
        return lrm.resources() == null || lrm.resources().contains(resource);
    }

    void requireGiven(Node node, Resource resource) {
        if (!gives(resource)) {
            throw JsdlFaults.unsupported(
                    node,
                    "the LRM cannot give jobs the resource " + resource.word(),
                    "Leave it out, or use another LRM.");
        }
    }

    private void readSystem(Node node) {
        Parts system = new Parts(node);
        system.one(Names.jsdl("Description")).ifPresent(Parts::text); // for people
        system.one(Names.jsdl("OperatingSystemVersion")).ifPresent(version -> {
            throw JsdlFaults.unsupported(
                    version, "no LRM here chooses machines by the version of their system", "Leave it out.");
        });
        Optional<Node> type = system.one(Names.jsdl("OperatingSystemType"));
        system.end();
        type.ifPresent(inside -> {
            Parts of = new Parts(inside);
            Node name = of.needed(Names.jsdl("OperatingSystemName"));
            of.end();
            String asked = Hardware.system(name);
            requireGiven(name, Resource.OPERATING_SYSTEM);
            resources.operatingSystem(asked);
        });
    }

    private void readArchitecture(Node node) {
        Parts of = new Parts(node);
        Node name = of.needed(Names.jsdl("CPUArchitectureName"));
        of.end();
        String asked = Hardware.architecture(name);
        List<String> known = lrm.queues().stream()
                .map(Queue::architecture)
                .filter(one -> one != null)
                .distinct()
                .toList();
        boolean isKnown =
                !lrm.queues().isEmpty() && lrm.queues().stream().allMatch(queue -> queue.architecture() != null);
        if (isKnown && !known.contains(asked)) {
            throw JsdlFaults.unsupported(
                    name,
                    "the machines of the LRM are " + String.join(", ", known),
                    "Ask for another, or use another LRM.");
        }
        if (isKnown && known.size() == 1 && !gives(Resource.ARCHITECTURE)) {
            return; // every machine of this LRM is such a one
        }
        requireGiven(name, Resource.ARCHITECTURE);
        resources.architecture(asked);
    }

    private void readHosts() {
        Optional<Node> candidates = parts.one(Names.jsdl("CandidateHosts"));
        if (candidates.isEmpty()) {
            return;
        }
        Node node = candidates.get();
        Parts of = new Parts(node);
        List<Node> nodes = of.many(Names.jsdl("HostName"));
        of.end();
        List<String> names = nodes.stream().map(Parts::word).toList();
        if (names.isEmpty()) {
            throw JsdlFaults.invalid(node, "", "it must hold at least one HostName");
        }
        requireGiven(node, Resource.HOSTS);
        if (names.size() != hosts && ON_ALL_HOSTS.contains(lrm.kind())) {
            throw JsdlFaults.unsupported(
                    node,
                    "the LRM runs a job on all hosts that it names, and this one names " + names.size() + " for "
                            + hosts,
                    "Name one host, or leave it out.");
        }
        resources.hosts(names);
    }

    /** In bytes; of what each host is to have and what all are to have together the greater counts. */
    private void readMemory() {
        Range each = range("IndividualPhysicalMemory");
        Range all = range("TotalPhysicalMemory");
        long ofEach = each == null ? 0 : Math.ceilDiv(each.least(0), MIB);
        long ofAll = all == null ? 0 : Math.ceilDiv(all.least(0), MIB);
        long memory = Math.max(ofEach * hosts, ofAll);
        if (memory == 0) {
            return;
        }
        Node node = ofEach * hosts >= ofAll && each != null ? each.node() : all == null ? parts.node() : all.node();
        long needed = Math.ceilDiv(memory, hosts);
        Long largest = largestMachine();
        if (largest != null && needed > largest) {
            throw JsdlFaults.unsupported(
                    node,
                    "it asks for " + needed + " MiB of one machine, and the largest of the LRM has " + largest,
                    "Ask for less, or use another LRM.");
        }
        if (!gives(Resource.MEMORY) && largest != null && hosts == 1) {
            return; // the one machine of this LRM has that much
        }
        requireGiven(node, Resource.MEMORY);
        resources.memoryMiB(memory);
    }

    private @Nullable Long largestMachine() {
        if (lrm.queues().isEmpty() || lrm.queues().stream().anyMatch(queue -> queue.memoryMiB() == null)) {
            return null;
        }
        return lrm.queues().stream()
                .map(Queue::memoryMiB)
                .filter(one -> one != null)
                .max(Long::compare)
                .orElse(null);
    }

    private void readTimes(int processes) {
        Range each = range("IndividualCPUTime");
        Range all = range("TotalCPUTime");
        if (all != null && processes > 1 && !all.isAnything()) {
            throw JsdlFaults.unsupported(
                    all.node(),
                    "the time that several processes use together is not limited",
                    "Limit that of each: IndividualCPUTime.");
        }
        Double ofEach = each == null ? null : each.most();
        Double ofAll = all == null ? null : all.most();
        Double most = ofEach == null || ofAll == null
                ? (ofEach == null ? ofAll : ofEach)
                : Double.valueOf(Math.min(ofEach, ofAll));
        if (most != null) {
            Node node = each != null && most.equals(ofEach) ? each.node() : all == null ? parts.node() : all.node();
            if (most < 1) {
                throw JsdlFaults.invalid(node, "", "a job needs at least one second of a processor");
            }
            if (most > Duration.ofDays(36_500).toSeconds()) {
                return; // no limit at all
            }
            job.maxCpuTime(Duration.ofSeconds((long) Math.ceil(most)));
        }
    }

    static int count(long number, Node node) {
        if (number > MOST_COUNT) {
            throw JsdlFaults.invalid(node, Long.toString(number), "it must be at most " + MOST_COUNT);
        }
        return (int) number;
    }
}
