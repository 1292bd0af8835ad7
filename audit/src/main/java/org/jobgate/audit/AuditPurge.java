// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Takes the oldest entries off the beginning of the chain, a few at a time. A job that is to be kept although entries of it are taken off is
 * carried over: one new entry says all that was known of it, under a pseudonym where its names are too old. A last entry says where the chain
 * begins now, and which hash it had there, so that the chain can be followed from there to its end as before.
 *
 * <p>The rest of the entries of a job that was taken out stay until it is their turn; they have no row.
 */
final class AuditPurge {

    /** Entries taken off in one transaction: some milliseconds. */
    static final int BATCH = 500;

    /** A time that is further ahead than this was not the time. */
    private static final Duration AHEAD = Duration.ofHours(1);

    static final String BASE = "base";
    private static final String SECRET = "pseudonyms";
    private static final int SECRET_BYTES = 32;
    private static final int PSEUDONYM_BYTES = 8;

    /** What may tell who somebody is, beside the subject and the account, which are replaced. */
    private static final Set<String> PERSONAL = Set.of("client_id", "description", "sentence", "permitted_because");

    private final Connection writer;
    private final AuditKeeping keeping;
    private final long now;
    private final long base;
    private final AuditSums sums;
    private @Nullable Mac pseudonyms;

    /**
     * @param now milliseconds since 1970
     * @param base the number of the entry that was taken off last; 0 where none was
     * @param sums are told what is taken out; they keep it without the names
     */
    AuditPurge(Connection writer, AuditKeeping keeping, long now, long base, AuditSums sums) {
        this.writer = writer;
        this.keeping = keeping;
        this.now = now;
        this.base = base;
        this.sums = sums;
    }

    /**
     * What is to be taken off next.
     *
     * @param upTo the number of the last entry that goes
     * @param hash its hash
     * @param jobs that have entries among them
     */
    record Cut(long upTo, String hash, Set<String> jobs) {}

    /**
     * Looks for it.
     *
     * @param most no entry of a greater number is taken off
     * @return absent where nothing is old enough
     */
    @Nullable
    Cut next(long most) throws SQLException {
        Duration first = keeping.first();
        if (first == null) {
            return null;
        }
        long before = now - first.toMillis();
        long upTo = 0;
        String hash = "";
        Set<String> jobs = new LinkedHashSet<>();
        Set<String> undecided = new LinkedHashSet<>();
        // not from the beginning on: what was taken off lately still lies in the index, and would be read through each
        // time
        try (PreparedStatement select = writer.prepareStatement(
                "SELECT number, job, at, hash FROM audit_entry WHERE number > ? AND number <= ? ORDER BY number LIMIT "
                        + BATCH)) {
            select.setLong(1, base);
            select.setLong(2, most);
            try (ResultSet found = select.executeQuery()) {
                boolean isOld = true;
                while (isOld && found.next()) {
                    long at = found.getLong("at");
                    undecided.add(found.getString("job"));
                    if (at < before) {
                        upTo = found.getLong("number");
                        hash = found.getString("hash");
                        jobs.addAll(undecided);
                        undecided.clear();
                    } else if (at <= now + AHEAD.toMillis()) {
                        isOld = false;
                    }
                    // else the clock was ahead: it was written before the next entry, and is as old as that
                }
                if (isOld && upTo == 0 && undecided.size() > 0) {
                    return allAhead(most, before);
                }
            }
        }
        return upTo == 0 ? null : new Cut(upTo, hash, jobs);
    }

    /** The clock was ahead for the whole of a batch: it goes where the first entry behind it with a time that can be is old. */
    @Nullable
    private Cut allAhead(long most, long before) throws SQLException {
        try (PreparedStatement select = writer.prepareStatement(
                "SELECT at FROM audit_entry WHERE number > ? AND at <= ? ORDER BY number LIMIT 1")) {
            select.setLong(1, base);
            select.setLong(2, now + AHEAD.toMillis());
            try (ResultSet found = select.executeQuery()) {
                if (!found.next() || found.getLong(1) >= before) {
                    return null;
                }
            }
        }
        long upTo = 0;
        String hash = "";
        Set<String> jobs = new LinkedHashSet<>();
        try (PreparedStatement select = writer.prepareStatement(
                "SELECT number, job, hash FROM audit_entry WHERE number > ? AND number <= ? ORDER BY number LIMIT "
                        + BATCH)) {
            select.setLong(1, base);
            select.setLong(2, most);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    upTo = found.getLong("number");
                    hash = found.getString("hash");
                    jobs.add(found.getString("job"));
                }
            }
        }
        return upTo == 0 ? null : new Cut(upTo, hash, jobs);
    }

    /** Takes it off, with the rows of jobs that are not kept; answers what is to be written in its place. */
    List<AuditLog.News> take(Cut cut, long change) throws SQLException {
        List<AuditLog.News> news = new ArrayList<>();
        Map<String, Map<String, Object>> shares = shares(cut.jobs());
        Set<String> carried = carriedBeyond(cut);
        List<String> gone = new ArrayList<>();
        for (String job : cut.jobs()) {
            Map<String, Object> share = shares.get(job);
            if (share == null || carried.contains(job)) {
                continue; // taken out before, or an entry of no job; or one further on says all of it already, and it
                // waits for that
            }
            if (isOlder(share, keeping.records())) {
                gone.add(job);
                takeFromSums(share);
            } else {
                news.add(new AuditLog.News(
                        change, job, now, AuditEntry.Kind.CARRIED, AuditRow.carried(asKept(wholeRow(job)))));
            }
        }
        delete(gone);
        try (PreparedStatement delete =
                writer.prepareStatement("DELETE FROM audit_entry WHERE number > ? AND number <= ?")) {
            delete.setLong(1, base);
            delete.setLong(2, cut.upTo());
            delete.executeUpdate();
        }
        news.add(new AuditLog.News(
                change, "", now, AuditEntry.Kind.PURGED, AuditRow.purged(cut.upTo(), cut.hash(), gone.size())));
        return news;
    }

    /** What the rows of jobs give to the sums, without their descriptions, which may be large; of all in one question. */
    private Map<String, Map<String, Object>> shares(Set<String> jobs) throws SQLException {
        Map<String, Map<String, Object>> shares = new HashMap<>();
        try (PreparedStatement select = writer.prepareStatement("SELECT job, " + String.join(", ", AuditSums.COLUMNS)
                + " FROM audit_job WHERE job IN (" + places(jobs) + ")")) {
            set(select, 1, jobs);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    shares.put(found.getString("job"), AuditLog.row(found, AuditSums.COLUMNS));
                }
            }
        }
        return shares;
    }

    /** Of which of them one entry further on says all already. */
    private Set<String> carriedBeyond(Cut cut) throws SQLException {
        Set<String> carried = new HashSet<>();
        try (PreparedStatement select =
                writer.prepareStatement("SELECT job FROM audit_entry WHERE number > ? AND kind = 'CARRIED' AND job IN ("
                        + places(cut.jobs()) + ")")) {
            select.setLong(1, cut.upTo());
            set(select, 2, cut.jobs());
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    carried.add(found.getString(1));
                }
            }
        }
        return carried;
    }

    private Map<String, Object> wholeRow(String job) throws SQLException {
        try (PreparedStatement select = writer.prepareStatement("SELECT * FROM audit_job WHERE job = ?")) {
            select.setString(1, job);
            try (ResultSet found = select.executeQuery()) {
                if (!found.next()) {
                    throw new SQLException("the row of the job " + job + " has gone while it was looked at");
                }
                return AuditLog.row(found);
            }
        }
    }

    private void delete(List<String> jobs) throws SQLException {
        if (jobs.isEmpty()) {
            return;
        }
        try (PreparedStatement delete =
                writer.prepareStatement("DELETE FROM audit_job WHERE job IN (" + places(jobs) + ")")) {
            set(delete, 1, jobs);
            delete.executeUpdate();
        }
    }

    private static String places(Collection<String> values) {
        return String.join(", ", Collections.nCopies(values.size(), "?"));
    }

    private static void set(PreparedStatement statement, int first, Collection<String> values) throws SQLException {
        int place = first;
        for (String value : values) {
            statement.setString(place++, value);
        }
    }

    private void takeFromSums(Map<String, Object> row) throws SQLException {
        UsageShare share = UsageShare.of(row);
        if (share != null) {
            sums.keep(share, subjectWithoutName(row), accountWithoutName(row));
        }
    }

    private Map<String, Object> asKept(Map<String, Object> row) throws SQLException {
        if (!isOlder(row, keeping.names())) {
            return row;
        }
        String subject = subjectWithoutName(row);
        row.put("account", accountWithoutName(row));
        row.put("subject", subject);
        row.keySet().removeAll(PERSONAL);
        return row;
    }

    private String subjectWithoutName(Map<String, Object> row) throws SQLException {
        String subject = String.valueOf(row.get("subject"));
        return subject.startsWith(PREFIX) ? subject : pseudonym(subject);
    }

    /** Before the subject, by which it is seen whether the row has pseudonyms already. */
    private String accountWithoutName(Map<String, Object> row) throws SQLException {
        String account = String.valueOf(row.get("account"));
        return String.valueOf(row.get("subject")).startsWith(PREFIX) ? account : pseudonym("account\n" + account);
    }

    private static final String PREFIX = "pseudonym-";

    /** The same for the same person, and without the secret nobody can tell whose it is. */
    private String pseudonym(String name) throws SQLException {
        Mac mac = pseudonyms;
        if (mac == null) {
            // the secret is asked for once in a transaction, not for each name
            mac = mac(secret());
            pseudonyms = mac;
        }
        return PREFIX
                + HexFormat.of().formatHex(mac.doFinal(name.getBytes(StandardCharsets.UTF_8)), 0, PSEUDONYM_BYTES);
    }

    private static Mac mac(byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA256", e);
        }
    }

    private byte[] secret() throws SQLException {
        String kept = AuditLog.state(writer, SECRET);
        if (kept != null) {
            return HexFormat.of().parseHex(kept);
        }
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        AuditLog.saveState(writer, SECRET, HexFormat.of().formatHex(bytes));
        return bytes;
    }

    /** Whether the job ended longer ago than this. */
    private boolean isOlder(Map<String, Object> row, @Nullable Duration time) {
        return time != null && row.get("ended") instanceof Number ended && ended.longValue() < now - time.toMillis();
    }
}
