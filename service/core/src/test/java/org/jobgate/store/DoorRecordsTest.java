// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A door sees records of its own kinds only. */
class DoorRecordsTest {

    private JobStore store;
    private DoorRecords own;

    @BeforeEach
    void open(@TempDir Path directory) {
        store = TestStores.sqlite(directory);
        own = store.only(Set.of("a.one", "a.two"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static DoorRecord record(String kind, String id) {
        return new DoorRecord(kind, id, null, null, "body", Instant.parse("2026-11-25T10:00:00Z"));
    }

    @Test
    void recordsOfItsKindsAreKeptAndFound() {
        own.putRecord(record("a.one", "x")).join();
        own.putRecord(record("a.two", "y")).join();

        assertThat(own.findRecord("a.one", "x"))
                .isEqualTo(store.findRecord("a.one", "x"))
                .isPresent();
        assertThat(own.listRecords("a.two", "", 10)).containsExactly(record("a.two", "y"));
        assertThat(own.countRecords("a.one")).isEqualTo(1);
        assertThat(own.deleteRecord("a.one", "x").join()).isTrue();
        assertThat(store.countRecords("a.one")).isZero();
    }

    @Test
    void thoseOfAnotherAreNeitherReadNorWrittenNorDeleted() {
        store.putRecord(record("b.one", "x")).join();

        assertForeign(records -> records.findRecord("b.one", "x"));
        assertForeign(records -> records.listRecords("b.one", "", 10));
        assertForeign(records -> records.countRecords("b.one"));
        assertForeign(records -> records.recordsOf("b.one", JobId.parse("01234567-89ab-7def-8123-456789abcdef")));
        assertForeign(records -> records.putRecord(record("b.one", "x")).join());
        assertForeign(records -> records.deleteRecord("b.one", "x").join());
        assertForeign(records -> records.only(Set.of("b.one")).findRecord("b.one", "x"));
        assertThat(store.countRecords("b.one")).isEqualTo(1);
    }

    private void assertForeign(Consumer<DoorRecords> call) {
        assertThatThrownBy(() -> call.accept(own))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("b.one");
    }
}
