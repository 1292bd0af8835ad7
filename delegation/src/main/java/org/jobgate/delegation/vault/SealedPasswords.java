// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jobgate.job.ElementKey;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.jobs.FilePassword;
import org.jobgate.limits.Limit;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names and passwords that jobs have for single files, in the store: all of a job in one record, sealed under the site key and bound to
 * the job, so that a record opens for no other job. It is stored with the job, removed when the job is over, and purged with it at the latest.
 * A group of jobs has one record for all its elements, bound to the group; the store removes it when no element waits or runs any more.
 */
public final class SealedPasswords {

    private static final Logger LOG = LoggerFactory.getLogger(SealedPasswords.class);
    private static final Limit MOST = new Limit("names and passwords of one job", FilePassword.MAX);

    private final JobStore store;
    private final SiteKey siteKey;
    private final Clock clock;

    public SealedPasswords(JobStore store, SiteKey siteKey, Clock clock) {
        this.store = requireNonNull(store, "store is null");
        this.siteKey = requireNonNull(siteKey, "siteKey is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** The record to be stored with the job, or with the group. */
    public DoorRecord seal(JobId job, Owner owner, List<FilePassword> passwords) {
        MOST.check(passwords.size(), "names and passwords for files of the job");
        byte[] plain = plain(passwords);
        byte[] sealed = siteKey.seal(plain, label(job));
        Arrays.fill(plain, (byte) 0);
        return new DoorRecord(
                FilePassword.KIND,
                job.toString(),
                job,
                owner.subject(),
                Base64.getEncoder().encodeToString(sealed),
                clock.instant());
    }

    private static String label(JobId job) {
        return FilePassword.KIND + "\n" + job;
    }

    private static byte[] plain(List<FilePassword> passwords) {
        try (ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(passwords.size());
            for (FilePassword each : passwords) {
                write(out, each.userName());
                write(out, each.password());
            }
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /**
     * The name and the password of this number.
     *
     * @param number from 1, in decimal digits
     * @return empty where the job has none of that number, or is over
     * @throws FaultException of code {@code CREDENTIAL_UNUSABLE} where the record cannot be opened
     */
    public Optional<FilePassword> find(JobId job, String number) {
        return store.findRecord(FilePassword.KIND, job.toString())
                .map(record -> opened(job, record))
                .or(() -> store.find(job).flatMap(this::ofGroup))
                .flatMap(all -> all.stream().skip(place(number)).findFirst());
    }

    /** Those of the group that the job is an element of. */
    private Optional<List<FilePassword>> ofGroup(Job element) {
        String owner = element.owner().subject();
        return ElementKey.of(element)
                .map(ElementKey::group)
                .flatMap(group -> store.findRecord(FilePassword.KIND, group.toString())
                        .filter(record -> owner.equals(record.owner()))
                        .map(record -> opened(group, record)));
    }

    /** The place in the list; a text that is no number gets a place behind the last. */
    private static long place(String number) {
        return number.matches("[1-9][0-9]{0,3}") ? Long.parseLong(number) - 1 : FilePassword.MAX;
    }

    private List<FilePassword> opened(JobId job, DoorRecord record) {
        try {
            byte[] plain = siteKey.open(Base64.getDecoder().decode(record.body()), label(job));
            List<FilePassword> all = read(plain);
            Arrays.fill(plain, (byte) 0);
            return all;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            LOG.error("The passwords for files of the job {} cannot be opened with the site key", job, e);
            throw new FaultException(Fault.of(
                    FaultCode.CREDENTIAL_UNUSABLE,
                    "The password of the file cannot be opened: the site's key has changed since it was stored.",
                    "Submit the job again; tell the site's administrator."));
        }
    }

    private static List<FilePassword> read(byte[] plain) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(plain))) {
            int count = in.readInt();
            List<FilePassword> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(new FilePassword(text(in), text(in)));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException("a record of passwords is cut short", e);
        }
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    /** Forgets those of a job; on disk when this returns. Repeating it does no harm. */
    public void remove(JobId job) {
        if (store.findRecord(FilePassword.KIND, job.toString()).isPresent()) {
            store.deleteRecord(FilePassword.KIND, job.toString()).join();
        }
    }
}
