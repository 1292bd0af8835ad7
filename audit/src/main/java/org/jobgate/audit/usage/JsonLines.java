// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit.usage;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** One JSON object in a line for each job, for programs of the site. */
final class JsonLines {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private JsonLines() {}

    static String write(List<UsageRecord> records, UsageSettings settings) {
        StringBuilder lines = new StringBuilder();
        for (UsageRecord record : records) {
            Map<String, @Nullable Object> view = new LinkedHashMap<>();
            view.put("recordId", settings.site() + ":" + record.job());
            view.put("site", settings.site());
            view.put("submitHost", settings.submitHost());
            view.put("job", record.job());
            view.put("globalJobId", record.globalId());
            view.put("localJobId", record.localId());
            view.put("subject", settings.subjectOf(record));
            view.put("account", record.account());
            view.put("vo", record.vo());
            view.put("fqan", record.fqan());
            view.put("lrm", record.lrm());
            view.put("queue", record.queue());
            view.put("created", record.created().toString());
            view.put("queued", record.queued() == null ? null : record.queued().toString());
            view.put("started", record.hasRun() ? record.start().toString() : null);
            view.put("ended", record.ended().toString());
            view.put("outcome", record.outcome());
            view.put("exitCode", record.exitCode());
            view.put("fault", record.fault());
            view.put("wallMillis", record.wallMillis());
            view.put("cpuMillis", record.cpuMillis());
            view.put("userCpuMillis", record.userMillis());
            view.put("systemCpuMillis", record.systemMillis());
            view.put("peakMemoryKiB", record.memoryKiB());
            view.put("slots", record.slots());
            view.put("hosts", record.hosts());
            view.values().removeIf(value -> value == null);
            lines.append(JSON.writeValueAsString(view)).append('\n');
        }
        return lines.toString();
    }
}
