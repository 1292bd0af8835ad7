// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jobgate.container.admin.ServiceControl;
import org.jobgate.container.backup.Backup;
import org.jobgate.container.backup.Restore;
import org.jobgate.container.backup.RestoreMark;
import org.jobgate.container.backup.ServerCopy;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.tls.TestPki;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.SqliteCopy;
import org.jobgate.store.sql.StoreSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a real store while it is written to, and what a gateway does after a restore. What LRMs do then is RestoreTest's and RestoredIT's. */
class BackupTest {

    @TempDir
    Path folder;

    private Path state;
    private Path key;

    @BeforeEach
    void prepare() throws IOException {
        state = Files.createDirectory(
                folder.resolve("state"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        key = state.resolve("delegation.key");
    }

    private JobStore store() {
        return JobStores.open(StoreSettings.of("sqlite:" + state.resolve("jobgate.db")), Clock.systemUTC());
    }

    private static NewJob job(int number) {
        Job job = Job.create(
                        JobId.create(Clock.systemUTC(), new Random(number)),
                        new SubmissionKey("/O=Grid/CN=Alice", "test", "key-" + number),
                        "trial",
                        new Owner("/O=Grid/CN=Alice", "alice"),
                        "Fork",
                        JobState.STAGE_IN,
                        Instant.now(),
                        null)
                .withState(JobState.STAGE_IN)
                .withHolding(true);
        return new NewJob(job, JobDescription.of("/bin/true"), List.of());
    }

    private Backup backup() {
        return new Backup(
                state,
                new Backup.Place(state.resolve("jobgate.db"), null, null),
                SqliteCopy::make,
                key,
                "1.0",
                Clock.systemUTC());
    }

    private List<String> restore(Path from) throws IOException {
        return new Restore(state, new Backup.Place(state.resolve("jobgate.db"), null, null), key, Clock.systemUTC())
                .from(from);
    }

    @Test
    void aBackupUnderLoadHasAllThatWasAcknowledgedBefore() throws IOException {
        Files.writeString(key, "secret");
        Path to = folder.resolve("backup");
        int acknowledged;
        try (JobStore store = store()) {
            for (int i = 0; i < 200; i++) {
                store.create(job(i)).join();
            }
            List<Integer> after = new ArrayList<>();
            Thread writer = Thread.ofPlatform().start(() -> {
                for (int i = 200; i < 5_000 && !Thread.currentThread().isInterrupted(); i++) {
                    store.create(job(i)).join();
                    after.add(i);
                }
            });
            Map<String, Object> made = backup().make(to, false);
            writer.interrupt();
            writer.join();
            acknowledged = after.size();
            assertThat(made.get("files")).isEqualTo(List.of("jobgate.db"));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        assertThat(acknowledged).isPositive();
        try (Stream<Path> files = Files.list(to)) {
            assertThat(files.toList())
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
        restore(to);
        try (JobStore store = store()) {
            assertThat(store.countLive()).isGreaterThanOrEqualTo(200);
            assertThat(store.find(new SubmissionKey("/O=Grid/CN=Alice", "test", "key-199")))
                    .isPresent();
        }
        assertThat(key).hasContent("secret");
        try (Stream<Path> files = Files.list(state)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("before-restore-")))
                    .singleElement()
                    .satisfies(aside -> assertThat(aside.resolve("jobgate.db")).exists());
        }
    }

    @Test
    void theKeyIsInItWhereThatIsWantedAndGoesBackToItsPlace() throws IOException {
        Files.writeString(key, "secret");
        store().close();
        backup().make(folder.resolve("backup"), true);
        Files.writeString(key, "another");
        restore(folder.resolve("backup"));
        assertThat(key).hasContent("secret");
    }

    @Test
    void whatWasThereIsMovedAsideBesideItsPlaceAndNothingIsWrittenOver() throws IOException {
        store().close();
        backup().make(folder.resolve("backup"), false);
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere")).resolve("jobs.db");
        Clock second = Clock.fixed(Instant.parse("2026-11-26T00:00:00Z"), java.time.ZoneOffset.UTC);
        for (String content : List.of("first", "second")) {
            Files.writeString(elsewhere, content);
            new Restore(state, new Backup.Place(elsewhere, null, null), key, second).from(folder.resolve("backup"));
        }
        Path aside =
                elsewhere.resolveSibling("before-restore-" + second.instant().getEpochSecond());
        assertThat(aside.resolve("jobs.db")).hasContent("first");
        assertThat(aside.resolveSibling(aside.getFileName() + "-2").resolve("jobs.db"))
                .hasContent("second");
    }

    @Test
    void aBackupThatIsNotWholeIsRefusedAndChangesNothing() throws IOException {
        store().close();
        Path to = folder.resolve("backup");
        backup().make(to, false);
        assertThatThrownBy(() -> backup().make(to, false))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("has something in it already");
        Files.writeString(to.resolve("jobgate.db"), "x", StandardCharsets.UTF_8, StandardOpenOption.APPEND);
        assertThatThrownBy(() -> restore(to)).isInstanceOf(IOException.class).hasMessageContaining("SHA-256");
        Files.delete(to.resolve("backup.json"));
        assertThatThrownBy(() -> restore(to))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no backup.json");
        assertThat(RestoreMark.of(state)).isEmpty();
    }

    @Test
    void recordsInPostgresStayWithTheirEndWhereTheBackupIsOfAFile() throws IOException {
        store().close();
        SqliteCopy.make(state.resolve("jobgate.db"), state.resolve("audit.db"));
        Path end = Files.writeString(state.resolve("audit.head"), "5 of the file");
        backup().make(folder.resolve("backup"), false);
        Files.delete(state.resolve("audit.db"));
        Files.writeString(end, "9 of the server");
        ServerCopy server = new ServerCopy() {
            @Override
            public void make(Path target) {
                throw new AssertionError("nothing is copied");
            }

            @Override
            public List<String> restore(Path copy, Instant now) {
                throw new AssertionError("the backup has nothing of the server");
            }
        };

        List<String> lines = new Restore(
                        state, new Backup.Place(state.resolve("jobgate.db"), null, server), key, Clock.systemUTC())
                .from(folder.resolve("backup"));

        assertThat(end).hasContent("9 of the server");
        assertThat(state.resolve("audit.db")).doesNotExist();
        assertThat(lines).contains("The audit records in PostgreSQL are not in this backup; they stay as they are.");
    }

    @Test
    void afterARestoreThatWasCutShortNoGatewayStarts() throws IOException {
        Files.writeString(
                state.resolve("restored.json"),
                "{\"takenAt\":\"2026-11-25T00:00:00Z\",\"restoredAt\":\"2026-11-26T00:00:00Z\",\"stage\":\"BEGUN\"}");
        assertThatThrownBy(() -> RestoreMark.of(state))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("was not finished");
        Files.writeString(state.resolve("restored.json"), "{");
        assertThatThrownBy(() -> RestoreMark.of(state)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void aRestoredGatewayTakesNoJobsUntilItIsToldToOverFurtherStarts() throws IOException {
        TestPki pki = new TestPki("CN=CA,O=Grid");
        TestPki.Credential host = pki.issue("CN=localhost,O=Grid");
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { port: 0, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 10s }
                state: { directory: state }
                authorization: { gridMapfile: map }
                lrms: [ { name: Fork, spool: %s, sudo: /bin/false } ]
                """.formatted(folder.resolve("spool")));
        TestPki.write(folder.resolve("cert.pem"), (Object[]) host.chain());
        TestPki.write(folder.resolve("key.pem"), host.key());
        pki.trustIn(folder.resolve("trust"));
        Files.writeString(folder.resolve("map"), "\"/O=Grid/CN=Alice\" alice\n");
        JobgateConfig config = ConfigurationFile.read(file, Map.of());
        try (JobStore store = store()) {
            store.create(job(1)).join();
        }
        backup().make(folder.resolve("backup"), false);
        restore(folder.resolve("backup"));
        assertThat(states(config, false)).containsExactly(ServiceControl.State.DRAINING);
        assertThat(states(config, true)).containsExactly(ServiceControl.State.DRAINING, ServiceControl.State.RUNNING);
        assertThat(states(config, false)).containsExactly(ServiceControl.State.RUNNING);
        assertThat(RestoreMark.of(state)).get().extracting(RestoreMark::stage).isEqualTo(RestoreMark.Stage.RESUMED);
    }

    private List<ServiceControl.State> states(JobgateConfig config, boolean resumes) {
        JobgateService service =
                new JobgateService(config, StateDirectory.take(config.state().directory()), Instant.now());
        try {
            service.start(folder);
            List<ServiceControl.State> states =
                    new ArrayList<>(List.of(service.status().state()));
            if (resumes) {
                service.resume();
                states.add(service.status().state());
            }
            return states;
        } finally {
            service.close();
        }
    }
}
