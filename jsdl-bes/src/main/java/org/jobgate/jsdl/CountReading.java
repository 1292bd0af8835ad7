// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import org.jobgate.job.JobDescription;
import org.jobgate.job.Resource;
import org.jobgate.job.Resources;
import org.jspecify.annotations.Nullable;

/** How many processors, hosts and processes a job has, of what its document says of them in four places. */
final class CountReading {

    private final @Nullable Range total;
    private final @Nullable Range individual;
    private final @Nullable Range hosts;
    private final ResourceReading reading;

    /**
     * @param total processors of the whole job
     * @param individual processors of each host
     * @param hosts how many hosts
     */
    CountReading(@Nullable Range total, @Nullable Range individual, @Nullable Range hosts, ResourceReading reading) {
        this.total = total;
        this.individual = individual;
        this.hosts = hosts;
        this.reading = reading;
    }

    /** Puts them into the job; answers how many processes it has. */
    int read(Application.Processes asked, JobDescription.Builder job, Resources.Builder resources) {
        return asked.isParallel() ? parallel(asked, job, resources) : single(asked, resources);
    }

    private int single(Application.Processes asked, Resources.Builder resources) {
        Integer threads = asked.isIndividual() ? Integer.valueOf(least(individual, 1)) : asked.threads();
        int hostCount = least(hosts, 1);
        int each = individual == null
                ? (threads == null ? 1 : threads)
                : leastFrom(individual, threads == null ? 1 : threads);
        long all = (long) each * hostCount;
        if (total != null && individual == null && threads == null) {
            all = total.leastMultiple(Math.max(1, hostCount), hostCount);
        } else if (total != null && !total.holds((double) all)) {
            // more hosts than one are only taken where the document does not say how many
            all = total.leastMultiple(each, each);
            long needed = all / each;
            if (hosts != null && !hosts.holds((double) needed)) {
                throw JsdlFaults.invalid(
                        total.node(), "", "it does not agree with the processors of each host and the number of hosts");
            }
            hostCount = ResourceReading.count(needed, total.node());
        }
        if (hostCount > 1) {
            reading.setHosts(hostCount);
            reading.requireGiven(node(hosts, total), Resource.SLOTS_PER_HOST);
            resources.slotsPerHost(ResourceReading.count(all / hostCount, node(individual, total)));
            resources.slots(ResourceReading.count(all, node(total, individual)));
        } else if (threads != null || individual != null) {
            if (all > 1) {
                reading.requireGiven(node(individual, total), Resource.THREADS_PER_PROCESS);
                resources.threadsPerProcess(ResourceReading.count(all, node(individual, total)));
            }
        } else if (all > 1) {
            reading.requireGiven(node(total, individual), Resource.SLOTS);
            resources.slots(ResourceReading.count(all, node(total, individual)));
        }
        return 1;
    }

    private int parallel(Application.Processes asked, JobDescription.Builder job, Resources.Builder resources) {
        Integer threads = asked.isIndividual() ? Integer.valueOf(least(individual, 1)) : asked.threads();
        int each = threads == null ? 1 : threads;
        int processes = asked.processes() != null
                ? asked.processes()
                : total == null ? 1 : ResourceReading.count(total.leastMultiple(each, each) / each, total.node());
        job.count(processes);
        if (threads != null && threads > 1) {
            reading.requireGiven(node(individual, total), Resource.THREADS_PER_PROCESS);
            resources.threadsPerProcess(threads);
        }
        if (total != null && !total.holds((double) processes * each)) {
            int slots = ResourceReading.count(total.leastMultiple((long) processes * each, each) / each, total.node());
            reading.requireGiven(total.node(), Resource.SLOTS);
            resources.slots(slots);
        }
        Integer perHost = asked.perHost();
        if (perHost == null && individual != null && !asked.isIndividual()) {
            perHost = ResourceReading.count(individual.leastMultiple(each, each) / each, individual.node());
        }
        if (perHost != null) {
            reading.requireGiven(node(individual, total), Resource.SLOTS_PER_HOST);
            resources.slotsPerHost(perHost);
            int needed = Math.ceilDiv(processes, perHost);
            if (hosts != null && !hosts.holds(needed)) {
                throw JsdlFaults.invalid(
                        hosts.node(),
                        "",
                        processes + " processes, " + perHost + " on each host, are on " + needed + " hosts");
            }
            reading.setHosts(needed);
        } else if (hosts != null) {
            reading.setHosts(least(hosts, 1));
        }
        return processes;
    }

    private int least(@Nullable Range range, int otherwise) {
        return range == null ? otherwise : leastFrom(range, 1);
    }

    private static int leastFrom(Range range, int from) {
        return ResourceReading.count(range.least(from), range.node());
    }

    private Node node(@Nullable Range first, @Nullable Range second) {
        Range range = first != null ? first : second != null ? second : hosts;
        return range == null ? reading.node() : range.node();
    }
}
