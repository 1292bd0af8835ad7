// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import org.jobgate.files.TreeEntry;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * The answer about one path (TMetaDataPathDetail).
 *
 * @param entry absent where there is nothing
 * @param checksum in hexadecimal; absent where it is not told
 * @param inside of a directory that was listed; absent where it was not
 */
record Detail(
        String path,
        Status status,
        @Nullable TreeEntry entry,
        @Nullable Checksum checksum,
        @Nullable List<Detail> inside) {

    private static final int OWNER_BITS = 6;
    private static final int GROUP_BITS = 3;

    /** A checksum, and how it was made. */
    record Checksum(String type, String value) {}

    Detail {
        requireNonNull(path, "path is null");
        requireNonNull(status, "status is null");
    }

    /** One of perhaps many thousands: where a link leads is not told, and is not held for it. */
    static Detail of(String path, TreeEntry entry) {
        return new Detail(path, Status.SUCCESS, entry.withoutTarget(), null, null);
    }

    static Detail failed(String path, Status status) {
        return new Detail(path, status, null, null, null);
    }

    /**
     * Writes details as elements of an array. A listing has thousands of them, whose ends are mostly the same; so they are put together as
     * text, and what is the same as of the entry before is not made again.
     */
    static final class Text {

        private static final int ROOM = 16_384;

        private final boolean isFull;
        private final StringBuilder out = new StringBuilder(ROOM + 2_048);
        private @Nullable TreeEntry last;
        private String lastEnd = "";

        /** @param isFull whether all is told that is known */
        Text(boolean isFull) {
            this.isFull = isFull;
        }

        void write(XmlWriter writer, List<Detail> details) {
            details.forEach(one -> append(writer, one));
            flush(writer);
        }

        private void flush(XmlWriter writer) {
            writer.elements(out);
            out.setLength(0);
        }

        private void append(XmlWriter writer, Detail one) {
            if (out.length() >= ROOM) {
                flush(writer);
            }
            out.append("<pathDetailArray><path>").append(XmlWriter.escaped(one.path));
            out.append("</path><status><statusCode>").append(one.status.code().name());
            out.append("</statusCode>");
            if (one.status.explanation() != null) {
                out.append("<explanation>").append(XmlWriter.escaped(one.status.explanation()));
                out.append("</explanation>");
            }
            out.append("</status>");
            if (one.entry != null) {
                appendEntry(one.entry);
            }
            if (one.checksum != null) {
                out.append("<checkSumType>").append(XmlWriter.escaped(one.checksum.type()));
                out.append("</checkSumType><checkSumValue>").append(XmlWriter.escaped(one.checksum.value()));
                out.append("</checkSumValue>");
            }
            if (one.inside != null && !one.inside.isEmpty()) {
                out.append("<arrayOfSubPaths>");
                one.inside.forEach(inner -> append(writer, inner));
                out.append("</arrayOfSubPaths>");
            }
            out.append("</pathDetailArray>");
        }

        private void appendEntry(TreeEntry entry) {
            boolean isDirectory = entry.kind() == TreeEntry.Kind.DIRECTORY;
            out.append("<size>").append(isDirectory ? 0 : entry.size()).append("</size>");
            if (isFull) {
                out.append("<lastModificationTime>").append(Instant.ofEpochSecond(entry.modified()));
                out.append("</lastModificationTime>");
            }
            TreeEntry before = last;
            boolean isSame = before != null
                    && before.kind() == entry.kind()
                    && before.mode() == entry.mode()
                    && before.owner().equals(entry.owner())
                    && before.group().equals(entry.group());
            if (!isSame) {
                last = entry;
                lastEnd = end(entry, isFull);
            }
            out.append(lastEnd);
        }

        private static String end(TreeEntry entry, boolean isFull) {
            boolean isDirectory = entry.kind() == TreeEntry.Kind.DIRECTORY;
            String type = switch (entry.kind()) {
                case DIRECTORY, LINK, FILE -> "<type>" + entry.kind() + "</type>";
                case OTHER -> ""; // a pipe or a device: the standard has no word for it
            };
            if (!isFull) {
                return type;
            }
            int mode = entry.mode();
            return "<fileStorageType>PERMANENT</fileStorageType><retentionPolicyInfo><retentionPolicy>REPLICA"
                    + "</retentionPolicy><accessLatency>ONLINE</accessLatency></retentionPolicyInfo><fileLocality>"
                    + (isDirectory ? "NONE" : "ONLINE") + "</fileLocality>" + type
                    + "<lifetimeAssigned>-1</lifetimeAssigned><lifetimeLeft>-1</lifetimeLeft><ownerPermission><userID>"
                    + XmlWriter.escaped(entry.owner()) + "</userID><mode>" + Permission.word(mode >> OWNER_BITS)
                    + "</mode></ownerPermission><groupPermission><groupID>" + XmlWriter.escaped(entry.group())
                    + "</groupID><mode>" + Permission.word(mode >> GROUP_BITS)
                    + "</mode></groupPermission><otherPermission>" + Permission.word(mode) + "</otherPermission>";
        }
    }
}
