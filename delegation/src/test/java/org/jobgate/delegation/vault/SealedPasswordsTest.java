// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jobgate.job.ElementKey;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.jobs.FilePassword;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealedPasswordsTest {

    private static final Owner ALICE = new Owner("/CN=alice", "alice");
    private static final List<FilePassword> TWO =
            List.of(new FilePassword("u", "s3cret"), new FilePassword("jürgen", "ä€"));

    @TempDir
    Path directory;

    private JobStore store;
    private SealedPasswords passwords;
    private final JobId job = JobId.create(Clock.systemUTC(), new Random());

    @BeforeEach
    void open() {
        store = TestStores.sqlite(directory);
        passwords = with("site.key");
    }

    @AfterEach
    void close() {
        store.close();
    }

    private SealedPasswords with(String key) {
        return new SealedPasswords(store, SiteKey.in(directory.resolve(key), new SecureRandom()), Clock.systemUTC());
    }

    private DoorRecord sealed() {
        return passwords.seal(job, ALICE, TWO);
    }

    @Test
    void whatIsSealedIsFoundByItsNumberUntilItIsRemoved() {
        store.putRecord(sealed()).join();

        assertThat(passwords.find(job, "1")).contains(TWO.get(0));
        assertThat(passwords.find(job, "2")).contains(TWO.get(1));

        passwords.remove(job);
        passwords.remove(job);
        assertThat(passwords.find(job, "1")).isEmpty();
        assertThat(store.findRecord(FilePassword.KIND, job.toString())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "3", "-1", "1 ", "x", "99999999999999999999"})
    void anotherNumberNamesNone(String number) {
        store.putRecord(sealed()).join();

        assertThat(passwords.find(job, number)).isEmpty();
    }

    @Test
    void theRecordShowsNothing() {
        DoorRecord record = sealed();

        String bytes = new String(Base64.getDecoder().decode(record.body()), StandardCharsets.ISO_8859_1);
        assertThat(record.toString() + bytes).doesNotContain("s3cret").doesNotContain("jürgen");
        assertThat(record.job()).isEqualTo(job);
        assertThat(sealed().body()).isNotEqualTo(record.body());
        assertThat(TWO.toString()).doesNotContain("s3cret");
    }

    @Test
    void aRecordOpensForItsOwnJobAndWithItsOwnKeyOnly() {
        JobId other = JobId.create(Clock.systemUTC(), new Random());
        DoorRecord record = sealed();
        store.putRecord(record).join();
        store.putRecord(new DoorRecord(
                        record.kind(), other.toString(), other, record.owner(), record.body(), record.created()))
                .join();

        assertThatThrownBy(() -> passwords.find(other, "1"))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("cannot be opened");
        assertThatThrownBy(() -> with("other.key").find(job, "1")).isInstanceOf(FaultException.class);
    }

    private static NewJob element(JobId group, Owner owner) {
        SubmissionKey ofGroup = new SubmissionKey(owner.subject(), "bes", group.toString());
        JobId id = JobId.create(Clock.systemUTC(), new Random());
        SubmissionKey key = new ElementKey(group, 0, 1).submissionKey(ofGroup);
        JobDescription description = JobDescription.of("/bin/true");
        return new NewJob(
                Job.create(id, key, "jsdl", owner, "Fork", description.holdAt(), Instant.now(), null),
                description,
                List.of());
    }

    /** The job of a sweep's point uses what the sweep brought; that of another's sweep does not. */
    @Test
    void anElementHasThoseOfItsGroup() {
        DoorRecord ofGroup = sealed();
        store.putRecord(ofGroup).join();
        NewJob element = element(job, ALICE);
        store.create(element).join();
        NewJob stranger = element(job, new Owner("/CN=mallory", "mallory"));
        store.create(stranger).join();

        assertThat(passwords.find(element.job().id(), "2")).contains(TWO.get(1));
        assertThat(passwords.find(element.job().id(), "3")).isEmpty();
        assertThat(passwords.find(stranger.job().id(), "2")).isEmpty();

        passwords.remove(element.job().id());
        assertThat(passwords.find(element.job().id(), "2"))
                .as("other elements still need them")
                .isPresent();
        store.deleteRecord(FilePassword.KIND, ofGroup.id()).join();
        assertThat(passwords.find(element.job().id(), "2")).isEmpty();
    }

    @Test
    void aJobHasABoundedNumber() {
        List<FilePassword> many = Collections.nCopies(FilePassword.MAX + 1, new FilePassword("u", "p"));

        assertThatThrownBy(() -> passwords.seal(job, ALICE, many)).isInstanceOf(FaultException.class);
    }
}
