// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit.usage;

import java.time.Instant;
import java.util.List;

/** OGF's Usage Record 2.0 (GFD.204) by the names of its blocks. It was never checked against its schema, which nobody here has. */
final class Ur2 {

    private static final String NAMESPACE = "http://schema.ogf.org/urf/2013/04/urf";

    private final UsageSettings settings;

    Ur2(UsageSettings settings) {
        this.settings = settings;
    }

    String write(List<UsageRecord> records, Instant now) {
        UsageXml xml = new UsageXml(NAMESPACE, "UsageRecords");
        records.forEach(record -> write(xml, record, now));
        return xml.close();
    }

    private void write(UsageXml xml, UsageRecord record, Instant now) {
        xml.begin("UsageRecord");
        xml.begin("RecordIdentityBlock")
                .element("RecordId", settings.site() + ":" + record.job())
                .element("CreateTime", UsageXml.time(now))
                .element("Site", settings.site())
                .element("Infrastructure", UsageSettings.infrastructure(record.lrm()))
                .end();
        xml.begin("SubjectIdentityBlock")
                .element("LocalUserId", record.account())
                .element("GlobalUserId", settings.subjectOf(record))
                .element("GlobalGroupId", record.vo())
                .element("GlobalGroupAttribute", record.fqan(), "type", "FQAN")
                .end();
        xml.begin("ComputeUsageBlock");
        xml.element("CpuDuration", record.cpuMillis() == null ? null : UsageXml.duration(record.cpuMillis()))
                .element("WallDuration", UsageXml.duration(record.wallMillis()))
                .element("StartTime", UsageXml.time(record.start()))
                .element("EndTime", UsageXml.time(record.ended()));
        record.hosts().forEach(host -> xml.element("ExecutionHost", host));
        xml.element("Processors", record.slots())
                .element("NodeCount", record.nodes())
                .element("ExitStatus", record.exitCode())
                .end();
        xml.begin("JobUsageBlock")
                .element("GlobalJobId", record.globalId())
                .element("LocalJobId", record.localId())
                .element("SubmitHost", settings.submitHost())
                .element("Queue", record.queue())
                .element("TimeInstant", UsageXml.time(record.created()), "type", "created")
                .element("ServiceLevel", settings.benchmarkValue(), "type", settings.benchmark())
                .element("Status", Ur1.status(record.outcome()))
                .end();
        if (record.memoryKiB() != null) {
            xml.begin("MemoryUsageBlock")
                    .element("MemoryResourceCapacityUsed", record.memoryKiB() * 1024, "metric", "max")
                    .end();
        }
        xml.end();
    }
}
