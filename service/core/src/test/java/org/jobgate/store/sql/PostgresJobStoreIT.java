// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jobgate.store.sql.SampleJobs.ALICE;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.limits.Interlude;
import org.jobgate.store.Change;
import org.jobgate.store.CreateResult;
import org.jobgate.store.JobQuery;
import org.jobgate.store.NewJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs a PostgreSQL: {@code eval "$(scripts/postgres up)"}. */
class PostgresJobStoreIT extends JobStoreContract {

    @TempDir
    Path directory;

    private @Nullable PostgresSchema schema;

    private PostgresSchema schema() throws Exception {
        PostgresSchema existing = schema;
        if (existing == null) {
            existing = new PostgresSchema(directory);
            schema = existing;
        }
        return existing;
    }

    @Override
    protected StoreSettings settings() throws Exception {
        return schema().settings();
    }

    @Override
    protected void refuseChangesWithNote(String note) throws Exception {
        schema().execute("ALTER TABLE change ADD CONSTRAINT refuse CHECK (note <> '" + note + "')");
    }

    @AfterEach
    void dropSchema() throws Exception {
        if (store != null) {
            store.close();
        }
        if (schema != null) {
            schema.close();
        }
    }

    /** Of a schema with other tables the maker of tables says that it is not empty; an administrator must be told why, and what to do. */
    @Test
    void beginsNotBesideAuditRecordsAndSaysWhatToDo() throws Exception {
        try (PostgresSchema other = new PostgresSchema(Files.createDirectory(directory.resolve("other")))) {
            other.execute("CREATE TABLE audit_migration (version TEXT)");
            assertThatThrownBy(() -> JobStores.open(other.settings(), Clock.systemUTC()))
                    .isInstanceOfSatisfying(FaultException.class, refused -> {
                        assertThat(refused.fault().code()).isEqualTo(FaultCode.STORE_UNAVAILABLE);
                        assertThat(refused.fault().sentence()).contains("has audit records and no jobs");
                        assertThat(refused.fault().remedy()).contains("store.url");
                    });
        }
    }

    @Test
    void afterLostConnectionsItGoesOnByItself() throws Exception {
        createdFor(ALICE, "before");
        schema().breakConnections();
        CompletableFuture<CreateResult> during = store.create(samples.newJob(ALICE, "during"));
        assertThat(faultOf(during)).isEqualTo(FaultCode.STORE_UNAVAILABLE);
        assertThat(createdFor(ALICE, "after").version()).isEqualTo(1);
        assertThat(store.list(JobQuery.live())).hasSize(2);
        assertThat(store.changesAfter(0, 10)).hasSize(2);
        store.probe();
    }

    @Test
    void whileTheServerRefusesEveryWriteFailsWithARemedyAndNothingIsKept() throws Exception {
        createdFor(ALICE, "before");
        try (Connection admin = schema().connect();
                var statement = admin.createStatement()) {
            statement.execute("ALTER SYSTEM SET default_transaction_read_only = on");
            statement.execute("SELECT pg_reload_conf()");
            try {
                // the server takes it up after it has answered; a session that begins before may still write
                org.awaitility.Awaitility.await().until(() -> schema().isReadOnly());
                schema().breakConnections();
                org.awaitility.Awaitility.await()
                        .until(() ->
                                faultOf(store.create(samples.newJob(ALICE, "during"))) == FaultCode.STORE_UNAVAILABLE);
                assertThat(faultOf(store.create(samples.newJob(ALICE, "during"))))
                        .isEqualTo(FaultCode.STORE_UNAVAILABLE);
                assertThatThrownBy(() -> store.probe())
                        .isInstanceOf(FaultException.class)
                        .hasMessageContaining("may only be read");
                assertThat(store.list(JobQuery.live())).hasSize(1);
            } finally {
                statement.execute("SET transaction_read_only = off");
                statement.execute("ALTER SYSTEM RESET default_transaction_read_only");
                statement.execute("SELECT pg_reload_conf()");
            }
        }
        org.awaitility.Awaitility.await().ignoreException(FaultException.class).until(() -> {
            store.probe();
            return true;
        });
        assertThat(createdFor(ALICE, "after").version()).isEqualTo(1);
    }

    @Test
    void aCommitWhoseAnswerWasLostCountsAsWhatItWas() throws Exception {
        store.close();
        AtomicInteger lose = new AtomicInteger();
        store = new SqlJobStore(
                new LossyDatabase(new PostgresDatabase(settings()), lose),
                settings(),
                clock,
                Runnable::run,
                Interlude.none());
        List<Long> heard = Collections.synchronizedList(new ArrayList<>());
        store.onCommit(changes -> changes.stream().map(Change::sequence).forEach(heard::add));
        createdFor(ALICE, "before");
        lose.set(1);
        NewJob committed = samples.newJob(ALICE, "committed");
        assertThat(get(store.create(committed))).isInstanceOf(CreateResult.Created.class);
        assertThat(store.find(committed.job().id())).isPresent();
        lose.set(2);
        NewJob undone = samples.newJob(ALICE, "undone");
        assertThat(faultOf(store.create(undone))).isEqualTo(FaultCode.STORE_UNAVAILABLE);
        assertThat(store.find(undone.job().id())).isEmpty();
        createdFor(ALICE, "after");
        assertThat(store.changesAfter(0, 10)).extracting(Change::sequence).containsExactly(1L, 2L, 3L);
        org.awaitility.Awaitility.await().until(() -> heard.equals(List.of(1L, 2L, 3L)));
    }

    @Test
    void changesOfAnotherContainerThatHeldTheStoreMeanwhileAreToldOf() throws Exception {
        store.close();
        AtomicInteger lose = new AtomicInteger();
        store = new SqlJobStore(
                new LossyDatabase(new PostgresDatabase(settings()), lose),
                settings(),
                clock,
                Runnable::run,
                Interlude.none());
        List<JobId> heard = Collections.synchronizedList(new ArrayList<>());
        store.onCommit(changes -> changes.stream().map(Change::job).forEach(heard::add));
        createdFor(ALICE, "mine");
        schema().breakConnections();
        NewJob others = samples.newJob(ALICE, "others");
        try (var other = JobStores.open(settings(), clock)) {
            get(other.create(others));
            assertThat(faultOf(store.create(samples.newJob(ALICE, "refused")))).isEqualTo(FaultCode.STORE_UNAVAILABLE);
            assertThat(faultOf(store.create(samples.newJob(ALICE, "refused")))).isEqualTo(FaultCode.STORE_UNAVAILABLE);
        }
        createdFor(ALICE, "mine again");
        assertThat(store.changesAfter(0, 10))
                .extracting(Change::job)
                .containsSequence(others.job().id());
        assertThat(store.countLive(ALICE)).isEqualTo(3);
        org.awaitility.Awaitility.await().until(() -> heard.size() == 3);
        assertThat(heard.get(1)).isEqualTo(others.job().id());
    }

    @Test
    void aPasswordFileThatOthersMayReadIsRefused() throws Exception {
        Path open = Files.createFile(
                directory.resolve("open"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        StoreSettings settings = settings().withCredentials("jobgate", open);
        assertThatThrownBy(() -> JobStores.open(settings, clock))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("rw-r--r--");
    }

    @Test
    void aServerThatIsNotThereIsSaidToBeNotThere() throws Exception {
        StoreSettings settings = StoreSettings.of("jdbc:postgresql://127.0.0.1:1/nothing");
        assertThatThrownBy(() -> JobStores.open(settings, clock))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault().code()).isEqualTo(FaultCode.STORE_UNAVAILABLE))
                .hasMessageContaining("127.0.0.1:1");
    }

    /** A connection that breaks at its next commit: after it (1) or instead of it (2). */
    private record LossyDatabase(Database real, AtomicInteger lose) implements Database {

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public Connection openWriter() throws SQLException {
            Connection connection = real.openWriter();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        int how = method.getName().equals("commit") ? lose.getAndSet(0) : 0;
                        if (how == 2) {
                            connection.rollback();
                        }
                        try {
                            Object answer = how == 2 ? null : method.invoke(connection, arguments);
                            if (how != 0) {
                                connection.close();
                                throw new SQLException("the line was cut", "08006");
                            }
                            return answer;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        @Override
        public void migrate() {
            real.migrate();
        }

        @Override
        public Connection reader() throws SQLException {
            return real.reader();
        }

        @Override
        public @Nullable Fault outage(SQLException exception) {
            return real.outage(exception);
        }

        @Override
        public boolean breaksConnection(SQLException exception) {
            return real.breaksConnection(exception);
        }

        @Override
        public @Nullable String transactionName(Connection writer) throws SQLException {
            return real.transactionName(writer);
        }

        @Override
        public boolean wasCommitted(Connection writer, String transactionName) throws SQLException {
            return real.wasCommitted(writer, transactionName);
        }

        @Override
        public void closeReaders() {
            real.closeReaders();
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
