// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit.usage;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * BLAH's accounting log (facts/accounting.md, section 7): a line for each job that its LRM took, which APEL's reader joins by {@code lrmsID} with
 * what the batch system itself has recorded. Of several {@code userFQAN} it takes the first, which is the sender's primary one.
 */
final class BlahLog {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    private final UsageSettings settings;

    BlahLog(UsageSettings settings) {
        this.settings = requireNonNull(settings, "settings is null");
    }

    String write(List<UsageRecord> records) {
        StringBuilder lines = new StringBuilder();
        for (UsageRecord record : records) {
            Instant queued = record.queued();
            // of a job that came to no LRM there is nothing to join
            if (queued != null) {
                lines.append(field("timestamp", TIME.format(queued)))
                        .append(' ')
                        .append(field("userDN", settings.subjectOf(record)))
                        .append(' ')
                        .append(fqans(record))
                        .append(field("ceID", settings.submitHost(record.lrm(), record.queue())))
                        .append(' ')
                        .append(field("jobID", record.globalId()))
                        .append(' ')
                        .append(field("lrmsID", record.localId()))
                        .append(' ')
                        .append(field("localUser", record.account()))
                        .append('\n');
            }
        }
        return lines.toString();
    }

    /** One field for each; an empty one where there is none. */
    private static String fqans(UsageRecord record) {
        List<String> fqans = record.fqans().isEmpty() ? List.of("") : record.fqans();
        return fqans.stream().map(fqan -> field("userFQAN", fqan) + ' ').collect(Collectors.joining());
    }

    /** The log has no way to escape anything: what would end a value or a line is left out. */
    private static String field(String name, @Nullable String value) {
        String text = value == null ? "" : value.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}\"]+", "");
        return '"' + name + '=' + text + '"';
    }
}
