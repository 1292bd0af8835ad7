// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A copy of records in PostgreSQL for a backup, and its way back. Needs one: {@code eval "$(scripts/postgres up)"}. */
class AuditCopyIT {

    private static final String ALL = "SELECT job || ' ' || subject || ' ' || COALESCE(outcome, '-') FROM audit_job"
            + " UNION ALL SELECT number || ' ' || body || ' ' || hash FROM audit_entry"
            + " UNION ALL SELECT id || ' ' || jobs || ' ' || wall_ms FROM audit_day"
            + " UNION ALL SELECT name || ' ' || value FROM audit_state ORDER BY 1";

    private static final String PARTS =
            "SELECT c.relname FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid WHERE i.inhparent IN"
                    + " (to_regclass('audit_job'), to_regclass('audit_entry')) ORDER BY 1";

    /** What COPY writes in another way than it is, and what would end a table in the file if it were not. */
    private static final List<String> ODD = List.of(
            "plain",
            "\\.",
            "a\n\\.\nb",
            "\\N",
            "tab\there",
            "back\\slash",
            "é 🙂 \u202e",
            "'); DROP TABLE audit_job; --",
            "\r");

    @TempDir
    private Path directory;

    private AuditPlace place;
    private AuditLog log;
    private Path copy;
    private Path head;
    private int number;

    @BeforeEach
    void fill() throws Exception {
        place = AuditPlace.postgres(directory);
        head = directory.resolve("audit.head");
        copy = directory.resolve("audit.copy.gz");
        log = new AuditLog(place.database(), head);
        log.keepUp(System.currentTimeMillis());
        for (String text : ODD) {
            job(text);
        }
        log.saveHead();
    }

    @AfterEach
    void close() throws SQLException {
        log.close();
        try (Connection connection = place.beside()) {
            for (String schema : texts(
                    connection, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'audit\\_before\\_restore\\_%'")) {
                execute(connection, "DROP SCHEMA " + schema + " CASCADE");
            }
            connection.commit();
        }
        place.close();
    }

    private void job(String text) throws SQLException {
        Map<String, Object> body = new LinkedHashMap<>();
        String id = String.format("01a21510-0000-7000-8000-%012d", ++number);
        body.put("grid_id", id);
        body.put("door", "d");
        body.put("language", "l");
        body.put("subject", text);
        body.put("account", text);
        body.put("lrm", "Fork");
        body.put("created", 1);
        body.put("ended", System.currentTimeMillis());
        body.put("outcome", "DONE");
        body.put("wall_ms", 5);
        body.put("version", "1");
        body.put("description", text);
        log.write(
                List.of(new AuditLog.News(
                        number,
                        id,
                        System.currentTimeMillis(),
                        AuditEntry.Kind.CREATED,
                        JsonMapper.builder().build().writeValueAsString(body))),
                number);
    }

    private static List<String> texts(Connection connection, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                texts.add(found.getString(1));
            }
        }
        return texts;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> texts(String sql) throws SQLException {
        try (Connection connection = place.beside()) {
            return texts(connection, sql);
        }
    }

    @Test
    void whatWasCopiedIsThereAgainAndWhatWasThereIsMovedAside() throws Exception {
        List<String> before = texts(ALL);
        List<String> parts = texts(PARTS);
        byte[] end = Files.readAllBytes(head);
        AuditCopy.make(place.store(), copy);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
                .isEqualTo("rw-------");
        job("after the copy");
        log.close();

        List<String> lines = AuditCopy.restore(place.store(), copy, Instant.now());
        Files.write(head, end);

        assertThat(texts(ALL)).isEqualTo(before).hasSizeGreaterThan(3 * ODD.size());
        assertThat(texts(PARTS)).isEqualTo(parts).hasSizeGreaterThan(4);
        assertThat(AuditVerifier.verify(place.database(), head).fault()).isNull();
        String aside = lines.getFirst().replaceFirst(".*(audit_before_restore_[0-9]+).*", "$1");
        assertThat(texts("SELECT subject FROM " + aside + ".audit_job")).contains("after the copy");
        job("goes on");
        log.saveHead();
        assertThat(AuditVerifier.verify(place.database(), head).fault()).isNull();
        assertThat(texts("SELECT subject_name FROM gram_audit_table")).contains("goes on");
    }

    @Test
    void aCopyThatIsCutOffIsRefusedAndTheWholeOneCanFollow() throws Exception {
        List<String> before = texts(ALL);
        AuditCopy.make(place.store(), copy);
        log.close();
        byte[] whole = Files.readAllBytes(copy);
        Path half = Files.write(directory.resolve("half.gz"), Arrays.copyOf(whole, whole.length / 2));

        assertThatIOException().isThrownBy(() -> AuditCopy.restore(place.store(), half, Instant.ofEpochSecond(1)));
        List<String> lines = AuditCopy.restore(place.store(), copy, Instant.ofEpochSecond(2));

        assertThat(lines).hasSize(2);
        assertThat(texts(ALL)).isEqualTo(before);
    }

    @Test
    void whileAGatewayWritesNothingIsPutInItsPlace() throws Exception {
        AuditCopy.make(place.store(), copy);
        job("by the gateway");

        assertThatIOException()
                .isThrownBy(() -> AuditCopy.restore(place.store(), copy, Instant.now()))
                .withMessageContaining("written by another gateway");
        assertThat(texts("SELECT subject FROM audit_job")).contains("by the gateway");
    }

    @Test
    void anotherFileIsNoCopy() throws Exception {
        log.close();
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(copy))) {
            out.write("table pg_authid rolname\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThatIOException()
                .isThrownBy(() -> AuditCopy.restore(place.store(), copy, Instant.now()))
                .isInstanceOf(IOException.class)
                .withMessageContaining("no copy of audit");
    }
}
