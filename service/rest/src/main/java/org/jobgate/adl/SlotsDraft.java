// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import org.jobgate.job.JobDescription;
import org.jobgate.job.JobType;
import org.jobgate.job.Resources;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The slots of an activity. A slot is a processor. A job that is no MPI job is one process; where its slots are all on one host they are the
 * processors of that process, which every LRM can give, and else slots of their own.
 */
public final class SlotsDraft {

    private int slots = 1;
    private @Nullable Integer perHost;
    private boolean isOnOneHost;
    private boolean isMpi;
    private int processesPerSlot = 1;
    private @Nullable Integer threads;
    private @Nullable Long memoryMiB;

    /** How many in all. */
    public void slots(int number) {
        slots = number;
    }

    /** How many on each host. */
    public void perHost(int number) {
        perHost = number;
    }

    /** All of them on one host. */
    public void onOneHost() {
        isOnOneHost = true;
    }

    /** The processes are started by the site's MPI launcher. */
    public void mpi() {
        isMpi = true;
    }

    public void processesPerSlot(int number) {
        processesPerSlot = number;
    }

    public void threads(int number) {
        threads = number;
    }

    /** The memory of one slot. */
    void memory(long mebibytes) {
        memoryMiB = mebibytes;
    }

    /** Writes it into the description. */
    void put(ActivityFaults faults, Limit most, JobDescription.Builder job, Resources.Builder resources) {
        most.check(slots, "Slots of the job");
        int each = isOnOneHost || perHost == null ? slots : perHost;
        if (each > slots || slots % each != 0) {
            throw faults.invalid(
                    "SlotsPerHost", Integer.toString(each), slots + " slots cannot be shared out evenly by it");
        }
        if (isMpi) {
            long processes = (long) slots * processesPerSlot;
            most.check(processes, "Processes of the job");
            job.jobType(JobType.MPI).count((int) processes);
            if (isOnOneHost || perHost != null) {
                job.hostCount(slots / each);
            }
            resources.threadsPerProcess(threads).memoryPerSlotMiB(memoryMiB);
            return;
        }
        if (processesPerSlot != 1) {
            throw faults.unsupported(
                    "ProcessesPerSlot", "one process of each job is started", "Leave it out, or start an MPI job.");
        }
        boolean isSpread = slots > 1 && (each < slots || !(isOnOneHost || perHost != null));
        if (isSpread) {
            resources
                    .slots(slots)
                    .slotsPerHost(perHost == null ? null : each)
                    .threadsPerProcess(threads)
                    .memoryPerSlotMiB(memoryMiB);
            return;
        }
        int processors = Math.multiplyExact(slots, threads == null ? 1 : threads);
        resources.threadsPerProcess(processors == 1 ? null : processors);
        if (memoryMiB != null) {
            job.maxMemoryMiB(Math.multiplyExact(memoryMiB, (long) slots));
        }
    }
}
