// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import javax.xml.namespace.QName;
import org.jobgate.gram.xml.XmlWriter;
import org.jobgate.lifecycle.LrmCapabilities;
import org.jspecify.annotations.Nullable;

/**
 * An LRM's queues in the words of GLUE 1.1, one {@code ComputingElement} each (facts/gram4.md section 1.5). Its attributes are
 * qualified; those whose value is not known are left out.
 */
final class GlueView {

    private static final String NAMESPACE = "http://mds.globus.org/glue/ce/1.1";
    static final QName NAME = name("GLUECE");

    private GlueView() {}

    private static QName name(String local) {
        return new QName(NAMESPACE, local, "glue");
    }

    /** Writes the property; nothing where no queue is known. */
    static void write(XmlWriter out, String lrm, LrmCapabilities capabilities) {
        if (capabilities.queues().isEmpty()) {
            return;
        }
        out.open(NAME);
        for (LrmCapabilities.Queue queue : capabilities.queues()) {
            out.open(name("ComputingElement"));
            out.attribute(name("Name"), queue.name());
            out.attribute(name("UniqueID"), lrm + "/" + queue.name());
            writeInfo(out, capabilities.kind(), queue);
            writeState(out, queue);
            out.open(name("Policy"));
            writeNumber(out, "MaxRunningJobs", queue.maxRunningJobs());
            out.close();
            out.close();
        }
        out.close();
    }

    private static void writeInfo(XmlWriter out, String kind, LrmCapabilities.Queue queue) {
        out.open(name("Info"));
        out.attribute(name("LRMSType"), kind);
        writeNumber(out, "TotalCPUs", queue.processors());
        out.close();
    }

    private static void writeState(XmlWriter out, LrmCapabilities.Queue queue) {
        out.open(name("State"));
        writeNumber(out, "FreeCPUs", queue.freeProcessors());
        writeNumber(out, "RunningJobs", queue.runningJobs());
        writeNumber(out, "WaitingJobs", queue.waitingJobs());
        out.close();
    }

    private static void writeNumber(XmlWriter out, String attribute, @Nullable Long number) {
        if (number != null) {
            out.attribute(name(attribute), number.toString());
        }
    }
}
