// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.identity.Identity;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jspecify.annotations.Nullable;

/**
 * Who sent a job, and why that was allowed, as it was when the job was submitted: kept with the job, for the records of the site.
 *
 * @param method how the sender was proven, e.g. {@code tls}
 * @param issuer of the bearer token; absent where it was none
 * @param fqans the VOMS attributes, the primary one first; of very many the first ones only
 * @param scopes of the bearer token
 * @param because who has allowed it, and why; empty where that was not said
 */
public record SenderRecord(
        String method, @Nullable String issuer, List<String> fqans, List<String> scopes, String because) {

    /** The kind of the records that hold it. */
    public static final String KIND = "access.sender";

    private static final int MOST = 16;
    private static final Pattern ENDS_A_LINE = Pattern.compile("[\\p{Cntrl}\\p{Zl}\\p{Zp}]");
    private static final int FIRST_NOT_PLAIN = 0x7F;
    private static final int MOST_REASON = 1_000;

    /** The keys that the engine gives to parts of a multi-job, elements of a group and further attempts: with the id of what was sent. */
    private static final Pattern PART = Pattern.compile("(?:multi|group|attempt)/([0-9a-f-]{36})/.*");

    public SenderRecord {
        fqans = first(fqans);
        scopes = first(scopes);
        because = because.length() <= MOST_REASON ? because : because.substring(0, MOST_REASON);
    }

    private static List<String> first(List<String> texts) {
        return List.copyOf(texts.size() <= MOST ? texts : texts.subList(0, MOST));
    }

    static SenderRecord of(Identity who, String because) {
        return new SenderRecord(who.method(), who.issuer(), who.fqans(), who.scopes(), because);
    }

    /** One line for each value, which no value can end. */
    DoorRecord of(JobId job, String subject) {
        List<String> lines = new ArrayList<>(List.of("method " + line(method), "because " + line(because)));
        if (issuer != null) {
            lines.add("issuer " + line(issuer));
        }
        fqans.forEach(fqan -> lines.add("fqan " + line(fqan)));
        scopes.forEach(scope -> lines.add("scope " + line(scope)));
        return new DoorRecord(KIND, job.toString(), job, subject, String.join("\n", lines), Instant.now());
    }

    private static String line(String text) {
        boolean isPlain = text.chars().allMatch(letter -> letter >= ' ' && letter < FIRST_NOT_PLAIN);
        return isPlain ? text : ENDS_A_LINE.matcher(text).replaceAll(" ");
    }

    /**
     * Who sent a job. Of a part of a multi-job, an element of a group and a further attempt that is the sender of the whole, or of the first.
     *
     * @return empty where that is not kept: jobs of older versions
     */
    public static Optional<SenderRecord> of(DoorRecords records, Job job) {
        Optional<SenderRecord> own = kept(records, job.id());
        if (own.isPresent()) {
            return own;
        }
        Matcher part = PART.matcher(job.key().clientId());
        return part.matches() ? kept(records, JobId.parse(part.group(1))) : own;
    }

    /** The sender of a job that was just stored with these records; as {@link #of(DoorRecords, Job)} where it is not among them. */
    public static Optional<SenderRecord> of(DoorRecords store, Job job, List<DoorRecord> records) {
        for (DoorRecord record : records) {
            if (record.kind().equals(KIND)) {
                return Optional.of(read(record.body()));
            }
        }
        return of(store, job);
    }

    private static Optional<SenderRecord> kept(DoorRecords records, JobId id) {
        return records.findRecord(KIND, id.toString()).map(record -> read(record.body()));
    }

    /** What the body of a record says; what it does not say is empty. */
    static SenderRecord read(String body) {
        String method = "";
        String because = "";
        String issuer = null;
        List<String> fqans = new ArrayList<>();
        List<String> scopes = new ArrayList<>();
        for (String line : body.lines().toList()) {
            int blank = line.indexOf(' ');
            String value = line.substring(blank + 1);
            switch (blank < 0 ? "" : line.substring(0, blank)) {
                case "method" -> method = value;
                case "because" -> because = value;
                case "issuer" -> issuer = value;
                case "fqan" -> fqans.add(value);
                case "scope" -> scopes.add(value);
                default -> {
                    // of a later version
                }
            }
        }
        return new SenderRecord(method, issuer, fqans, scopes, because);
    }
}
