// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit.usage;

import java.time.Instant;
import java.util.List;

/** OGF's Usage Record 1.0 (GFD.98, ur-1.0.xsd). */
final class Ur1 {

    private static final String NAMESPACE = "http://schema.ogf.org/urf/2003/09/urf";

    private final UsageSettings settings;

    Ur1(UsageSettings settings) {
        this.settings = settings;
    }

    String write(List<UsageRecord> records, Instant now) {
        UsageXml xml = new UsageXml(NAMESPACE, "UsageRecords");
        records.forEach(record -> write(xml, record, now));
        return xml.close();
    }

    private void write(UsageXml xml, UsageRecord record, Instant now) {
        xml.begin("JobUsageRecord");
        xml.begin("RecordIdentity", "recordId", settings.site() + ":" + record.job(), "createTime", UsageXml.time(now))
                .end();
        xml.begin("JobIdentity")
                .element("GlobalJobId", record.globalId())
                .element("LocalJobId", record.localId())
                .end();
        xml.begin("UserIdentity")
                .element("LocalUserId", record.account())
                .element("GlobalUserName", settings.subjectOf(record))
                .end();
        xml.element("Status", status(record.outcome()));
        if (record.memoryKiB() != null && record.memoryKiB() > 0) {
            xml.element("Memory", record.memoryKiB(), "storageUnit", "KB", "metric", "max", "type", "physical");
        }
        xml.element("TimeInstant", UsageXml.time(record.created()), "type", "created");
        if (record.queued() != null) {
            xml.element("TimeInstant", UsageXml.time(record.queued()), "type", "queued");
        }
        xml.element("ServiceLevel", settings.benchmarkValue(), "type", settings.benchmark());
        xml.element("WallDuration", UsageXml.duration(record.wallMillis()));
        cpu(xml, record);
        xml.element("NodeCount", record.nodes());
        xml.element("Processors", record.slots());
        xml.element("EndTime", UsageXml.time(record.ended()));
        xml.element("StartTime", UsageXml.time(record.start()));
        xml.element("MachineName", UsageXml.domain(settings.submitHost()));
        xml.element("SubmitHost", UsageXml.domain(settings.submitHost()));
        xml.element("Queue", record.queue());
        record.hosts().forEach(host -> xml.element("Host", UsageXml.domain(host)));
        xml.element("Resource", settings.site(), "description", "site");
        xml.element("Resource", record.lrm(), "description", "lrm");
        if (record.exitCode() != null) {
            xml.element("Resource", record.exitCode(), "description", "exit");
        }
        xml.end();
    }

    /** Its parts where they are known; without a kind it is all of it (GFD.98, section 5.1). */
    private static void cpu(UsageXml xml, UsageRecord record) {
        if (record.userMillis() != null && record.systemMillis() != null) {
            xml.element("CpuDuration", UsageXml.duration(record.userMillis()), "usageType", "user");
            xml.element("CpuDuration", UsageXml.duration(record.systemMillis()), "usageType", "system");
        } else if (record.cpuMillis() != null) {
            xml.element("CpuDuration", UsageXml.duration(record.cpuMillis()));
        }
    }

    static String status(String outcome) {
        return switch (outcome) {
            case "DONE" -> "Completed";
            case "CANCELLED" -> "Aborted";
            default -> "Failed";
        };
    }
}
