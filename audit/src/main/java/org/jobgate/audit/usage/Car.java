// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit.usage;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** EMI's compute accounting record 1.1 (car-1.1.xsd, namespace of October 2012). */
final class Car {

    private static final String NAMESPACE = "http://eu-emi.eu/namespaces/2012/10/computerecord";

    private final UsageSettings settings;

    Car(UsageSettings settings) {
        this.settings = settings;
    }

    String write(List<UsageRecord> records, Instant now) {
        UsageXml xml = new UsageXml(NAMESPACE, "UsageRecords");
        records.forEach(record -> write(xml, record, now));
        return xml.close();
    }

    private void write(UsageXml xml, UsageRecord record, Instant now) {
        xml.begin("UsageRecord");
        xml.begin("RecordIdentity", "recordId", settings.site() + ":" + record.job(), "createTime", UsageXml.time(now))
                .end();
        xml.begin("JobIdentity")
                .element("GlobalJobId", record.globalId())
                .element("LocalJobId", record.localId())
                .end();
        xml.begin("UserIdentity")
                .element("GlobalUserName", settings.subjectOf(record))
                .element("Group", record.vo())
                .element("GroupAttribute", record.fqan(), "type", "FQAN")
                .element("LocalUserId", record.account())
                .end();
        xml.element("Status", Ur1.status(record.outcome()).toLowerCase(Locale.ROOT));
        xml.element("ExitStatus", record.exitCode());
        xml.begin("Infrastructure", "type", "grid", "description", UsageSettings.infrastructure(record.lrm()))
                .end();
        xml.element("WallDuration", UsageXml.duration(record.wallMillis()));
        xml.element(
                "CpuDuration",
                UsageXml.duration(record.cpuMillis() == null ? 0 : record.cpuMillis()),
                "usageType",
                "all");
        if (record.userMillis() != null && record.systemMillis() != null) {
            xml.element("CpuDuration", UsageXml.duration(record.userMillis()), "usageType", "user");
            xml.element("CpuDuration", UsageXml.duration(record.systemMillis()), "usageType", "system");
        }
        xml.element("ServiceLevel", settings.benchmarkValue(), "type", settings.benchmark());
        if (record.memoryKiB() != null && record.memoryKiB() > 0) {
            xml.element("Memory", record.memoryKiB(), "storageUnit", "KB", "metric", "max", "type", "Physical");
        }
        xml.element("TimeInstant", UsageXml.time(record.created()), "type", "Ctime");
        if (record.queued() != null) {
            xml.element("TimeInstant", UsageXml.time(record.queued()), "type", "Qtime");
        }
        xml.element("NodeCount", record.nodes());
        xml.element("Processors", record.slots());
        xml.element("EndTime", UsageXml.time(record.ended()));
        xml.element("StartTime", UsageXml.time(record.start()));
        String machine = UsageXml.domain(settings.submitHost());
        xml.element("MachineName", machine == null ? "" : machine);
        xml.element("SubmitHost", settings.submitHost());
        xml.element("Queue", record.queue() == null ? record.lrm() : record.queue(), "description", "execution");
        xml.element("Site", settings.site(), "type", "gocdb");
        record.hosts().forEach(host -> xml.element("Host", UsageXml.domain(host)));
        // the schema asks for one, at the very end
        xml.element("Charge", "0", "description", "the gateway knows no price");
        xml.end();
    }
}
