// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit.usage;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The forms in which the usage of single jobs can be written. */
public enum UsageFormat {
    /** OGF's Usage Record 1.0 (GFD.98). */
    UR1("ur1"),
    /** OGF's Usage Record 2.0 (GFD.204), by the names of its blocks. */
    UR2("ur2"),
    /** EMI's compute accounting record 1.1. */
    CAR("car"),
    /** APEL's messages of individual jobs. */
    APEL("apel"),
    /** One JSON object in a line for each job. */
    JSON("json"),
    /** BLAH's accounting log. */
    BLAH("blah");

    /** Records in one message of APEL, as its own senders have it. */
    public static final int MOST_RECORDS = 1_000;

    private final String word;

    UsageFormat(String word) {
        this.word = word;
    }

    /** As it is asked for. */
    public String word() {
        return word;
    }

    /** By its word. */
    public static Optional<UsageFormat> of(String word) {
        return Arrays.stream(values())
                .filter(format -> format.word.equals(word))
                .findFirst();
    }

    /**
     * Writes the records of jobs that are over, in their order; those that the rule does not charge are left out. The same jobs give the same
     * records, with the same identities, however often they are written: a receiver knows a record that it has.
     *
     * @param rows of the audit's table of jobs, by the names of its columns
     * @param now when the records are written
     * @return the text; empty where there is no record to write
     */
    public String write(List<Map<String, Object>> rows, UsageSettings settings, Instant now) {
        List<UsageRecord> records = rows.stream()
                .map(UsageRecord::of)
                .filter(record -> !settings.leavesOut(record))
                .toList();
        if (records.isEmpty()) {
            return "";
        }
        return switch (this) {
            case UR1 -> new Ur1(settings).write(records, now);
            case UR2 -> new Ur2(settings).write(records, now);
            case CAR -> new Car(settings).write(records, now);
            case APEL -> new Apel(settings).individual(records);
            case BLAH -> new BlahLog(settings).write(records);
            case JSON -> JsonLines.write(records, settings);
        };
    }
}
