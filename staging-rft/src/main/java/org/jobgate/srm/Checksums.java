// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jobgate.files.FileChecksum;
import org.jobgate.files.TreeEntry;
import org.jspecify.annotations.Nullable;

/** Checksums of files that are listed alone. All of a file is read for one, so it is remembered as long as the file stays as it is. */
final class Checksums {

    private static final int REMEMBERED = 10_000;

    private final FileChecksum algorithm;
    private final long mostBytes;
    private final Map<String, String> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > REMEMBERED;
        }
    };

    Checksums(SrmSettings settings) {
        this.algorithm = requireNonNull(settings.checksum(), "checksum is null");
        this.mostBytes = settings.checksumBytes();
    }

    /** The checksum of a file; absent if the file is too large, or cannot be read. */
    Detail.@Nullable Checksum of(String account, Trees.Spot spot, TreeEntry entry) {
        if (entry.size() > mostBytes) {
            return null;
        }
        // the time has whole seconds only: what is newer than the last of them may still be written to
        String key = account + " " + entry.size() + " " + entry.modified() + " " + Surl.path(spot.names());
        String value;
        synchronized (known) {
            value = known.get(key);
        }
        if (value == null) {
            try {
                value = Trees.of(() -> spot.tree().checksum(spot.way(), algorithm, mostBytes));
            } catch (SrmException e) {
                return null; // the file is there and told; only this is not known of it
            }
            if (System.currentTimeMillis() / 1000 - entry.modified() > 2) {
                synchronized (known) {
                    known.put(key, value);
                }
            }
        }
        return new Detail.Checksum(algorithm.word(), value);
    }
}
