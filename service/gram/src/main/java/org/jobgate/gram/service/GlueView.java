// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmCapabilities.Queue;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * An LRM's queues in the words of GLUE 1.1, one {@code ComputingElement} each (facts/gram4.md section 1.5). Its attributes are
 * qualified; those whose value is not known are left out. What GLUE 1.1 has no word for stands in attributes of our own namespace.
 */
final class GlueView {

    private static final String NAMESPACE = "http://mds.globus.org/glue/ce/1.1";
    private static final String OWN = "https://jobgate.org/ns/2026/glue";
    static final QName NAME = name("GLUECE");
    static final QName SUMMARY = name("GLUECESummary");

    private final String lrm;
    private final String host;
    private final LrmCapabilities capabilities;

    /** @param host of the gateway, as clients know it */
    GlueView(String lrm, String host, LrmCapabilities capabilities) {
        this.lrm = lrm;
        this.host = host;
        this.capabilities = capabilities;
    }

    private static QName name(String local) {
        return new QName(NAMESPACE, local, "glue");
    }

    private static QName own(String local) {
        return new QName(OWN, local, "jgglue");
    }

    /** Writes the queues; nothing where none is known. */
    void write(XmlWriter out) {
        if (capabilities.queues().isEmpty()) {
            return;
        }
        out.open(NAME);
        capabilities.queues().forEach(queue -> writeElement(out, queue));
        capabilities.queues().stream()
                .filter(queue -> queue.architecture() != null || queue.memoryMiB() != null)
                .forEach(queue -> writeMachines(out, queue));
        out.close();
    }

    /**
     * Writes the LRM as a whole; nothing where no queue is known. Queues may share processors: those of several are not added up, as
     * their jobs are.
     */
    void writeSummary(XmlWriter out) {
        List<Queue> queues = capabilities.queues();
        if (queues.isEmpty()) {
            return;
        }
        Queue only = queues.size() == 1 ? queues.getFirst() : null;
        out.open(SUMMARY);
        writeElement(
                out,
                new Queue(
                        lrm,
                        only == null ? null : only.processors(),
                        only == null ? null : only.freeProcessors(),
                        sum(Queue::runningJobs),
                        sum(Queue::waitingJobs),
                        only == null ? null : only.maxRunningJobs()));
        out.close();
    }

    /** The sum over all queues; absent if the number of one is not known. */
    private @Nullable Long sum(Function<Queue, @Nullable Long> number) {
        List<Long> known = capabilities.queues().stream()
                .map(number)
                .filter(Objects::nonNull)
                .toList();
        return known.size() < capabilities.queues().size()
                ? null
                : known.stream().mapToLong(Long::longValue).sum();
    }

    private void writeElement(XmlWriter out, Queue queue) {
        out.open(name("ComputingElement"));
        out.attribute(name("Name"), queue.name());
        out.attribute(name("UniqueID"), lrm + "/" + queue.name());
        if (queue.isDefault()) {
            out.attribute(own("Default"), "true");
        }
        writeInfo(out, queue);
        writeState(out, queue);
        writePolicy(out, queue);
        out.close();
    }

    private void writeInfo(XmlWriter out, Queue queue) {
        out.open(name("Info"));
        out.attribute(name("HostName"), host);
        if (!capabilities.kind().isEmpty()) {
            out.attribute(name("LRMSType"), capabilities.kind());
        }
        writeNumber(out, name("TotalCPUs"), queue.processors());
        out.close();
    }

    private static void writeState(XmlWriter out, Queue queue) {
        Long running = queue.runningJobs();
        Long waiting = queue.waitingJobs();
        out.open(name("State"));
        if (queue.state() != null) {
            out.attribute(name("Status"), queue.state());
        }
        writeNumber(out, name("FreeCPUs"), queue.freeProcessors());
        writeNumber(out, name("RunningJobs"), running);
        writeNumber(out, name("WaitingJobs"), waiting);
        writeNumber(
                out, name("TotalJobs"), running == null || waiting == null ? null : Long.valueOf(running + waiting));
        out.close();
    }

    /** GLUE's times are minutes. */
    private static void writePolicy(XmlWriter out, Queue queue) {
        out.open(name("Policy"));
        writeNumber(out, name("MaxRunningJobs"), queue.maxRunningJobs());
        writeNumber(
                out,
                name("MaxWallClockTime"),
                queue.maxWallTime() == null
                        ? null
                        : Long.valueOf(queue.maxWallTime().toMinutes()));
        writeNumber(out, own("MaxProcessors"), queue.maxProcessors());
        out.close();
    }

    /** The machines behind a queue: their kind, and the memory of the largest. */
    private void writeMachines(XmlWriter out, Queue queue) {
        String id = lrm + "/" + queue.name();
        out.open(name("Cluster")).attribute(name("Name"), queue.name()).attribute(name("UniqueID"), id);
        out.open(name("SubCluster")).attribute(name("Name"), queue.name()).attribute(name("UniqueID"), id);
        out.open(name("Host")).attribute(name("Name"), queue.name()).attribute(name("UniqueID"), id);
        if (queue.architecture() != null) {
            out.open(name("Architecture"))
                    .attribute(name("PlatformType"), queue.architecture())
                    .close();
        }
        if (queue.memoryMiB() != null) {
            out.open(name("MainMemory"));
            writeNumber(out, name("RAMSize"), queue.memoryMiB());
            out.close();
        }
        out.close().close().close();
    }

    private static void writeNumber(XmlWriter out, QName attribute, @Nullable Long number) {
        if (number != null) {
            out.attribute(attribute, number.toString());
        }
    }
}
