// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jobgate.site.SiteFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one kind in a directory of the site, each read again when it has changed. A bad one troubles no other.
 *
 * <p>A file that has just become bad, or has just vanished, may be one that is being replaced: what it said holds until a second look finds
 * it so too. After that it depends on the kind. What admits people is left out; what keeps people out holds on as it was, for a broken list
 * of revocations must not lift them. A file that is gone is gone, whatever the kind.
 *
 * <p>Not safe for several threads.
 */
final class SiteFiles<T> {

    private static final Logger LOG = LoggerFactory.getLogger(SiteFiles.class);

    private final String what;
    private final long maxBytes;
    private final WhenBad whenBad;
    private final Parser<T> parser;
    private final Map<Path, Entry<T>> entries = new LinkedHashMap<>();

    /** What becomes of what a file said when it has become bad. */
    enum WhenBad {
        LEAVE_OUT,
        KEEP
    }

    /** Reads a file. */
    @FunctionalInterface
    interface Parser<T> {

        /**
         * Reads the file's content.
         *
         * @throws IOException or another that says what is wrong with the file
         */
        T parse(Path path, SiteFile file) throws IOException, GeneralSecurityException;
    }

    /**
     * What a look found.
     *
     * @param good by file
     * @param troubles what is wrong with which file, as sentences
     * @param settled whether nothing needs to be looked at again soon
     */
    record Found<T>(Map<Path, T> good, List<String> troubles, boolean settled) {}

    /**
     * What is known of a file.
     *
     * @param stamp of the state that was read; null if it must be read again
     * @param doubtful whether the last look found it bad or gone
     */
    private record Entry<T>(
            SiteFile.@Nullable Stamp stamp, @Nullable T value, String trouble, boolean doubtful) {}

    /**
     * Files of one kind.
     *
     * @param what for the log, e.g. {@code revocation list}
     * @param maxBytes the size of the largest that is read
     */
    SiteFiles(String what, long maxBytes, WhenBad whenBad, Parser<T> parser) {
        this.what = requireNonNull(what, "what is null");
        this.maxBytes = maxBytes;
        this.whenBad = requireNonNull(whenBad, "whenBad is null");
        this.parser = requireNonNull(parser, "parser is null");
    }

    /** Looks at the files that are there now, and remembers them for the next look. */
    Found<T> look(Collection<Path> present) {
        TreeSet<Path> all = new TreeSet<>(present);
        all.addAll(entries.keySet());
        Map<Path, T> good = new LinkedHashMap<>();
        List<String> troubles = new ArrayList<>();
        boolean settled = true;
        for (Path path : all) {
            Entry<T> before = entries.get(path);
            Entry<T> now = present.contains(path) ? read(path, before) : gone(before);
            if (now == null) {
                entries.remove(path);
                continue;
            }
            if (!now.trouble().isEmpty()) {
                troubles.add(now.trouble());
                if (before == null || !now.trouble().equals(before.trouble())) {
                    LOG.warn("{}", now.trouble());
                }
            }
            settled &= !now.doubtful() || (before != null && before.doubtful()) || now.value() == null;
            entries.put(path, now);
            if (now.value() != null) {
                good.put(path, now.value());
            }
        }
        return new Found<>(good, troubles, settled);
    }

    private Entry<T> read(Path path, @Nullable Entry<T> before) {
        Instant lookedAt = Instant.now();
        try {
            SiteFile.Stamp stamp = SiteFile.stamp(path, maxBytes);
            if (before != null && stamp.equals(before.stamp())) {
                return before;
            }
            SiteFile file = SiteFile.read(path, maxBytes);
            T value = parser.parse(path, file);
            return new Entry<>(file.stamp().isSettled(lookedAt) ? file.stamp() : null, value, "", false);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            // whatever a parser throws at what a file holds, the other files must be read
            return bad(path, before, e);
        }
    }

    private Entry<T> bad(Path path, @Nullable Entry<T> before, Exception why) {
        T value = before == null ? null : before.value();
        if (before != null && value != null && !before.doubtful()) {
            return new Entry<>(null, value, "", true);
        }
        boolean kept = value != null && whenBad == WhenBad.KEEP;
        String trouble = path + " is no " + what + " that can be used: " + reason(why)
                + (kept ? ". What it said before holds. Mend it." : ". It is left out. Mend or remove it.");
        return new Entry<>(null, kept ? value : null, trouble, true);
    }

    private static String reason(Exception why) {
        return why instanceof IOException && why.getMessage() != null && why.getClass() == IOException.class
                ? why.getMessage()
                : why.toString();
    }

    /** Null if it is gone for good. */
    private @Nullable Entry<T> gone(@Nullable Entry<T> before) {
        return before == null || before.value() == null || before.doubtful()
                ? null
                : new Entry<>(null, before.value(), "", true);
    }
}
