// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import javax.xml.namespace.QName;
import org.jobgate.files.TreeEntry;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * What is told of one path (TMetaDataPathDetail).
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

    private static final QName ARRAY = new QName("pathDetailArray");
    private static final QName PATH = new QName("path");
    private static final QName STATUS = new QName("status");
    private static final QName SIZE = new QName("size");
    private static final QName MODIFIED = new QName("lastModificationTime");
    private static final QName STORAGE = new QName("fileStorageType");
    private static final QName POLICY_INFO = new QName("retentionPolicyInfo");
    private static final QName POLICY = new QName("retentionPolicy");
    private static final QName LATENCY = new QName("accessLatency");
    private static final QName LOCALITY = new QName("fileLocality");
    private static final QName TYPE = new QName("type");
    private static final QName LIFETIME = new QName("lifetimeAssigned");
    private static final QName LEFT = new QName("lifetimeLeft");
    private static final QName OWNER = new QName("ownerPermission");
    private static final QName USER_ID = new QName("userID");
    private static final QName MODE = new QName("mode");
    private static final QName GROUP = new QName("groupPermission");
    private static final QName GROUP_ID = new QName("groupID");
    private static final QName OTHER = new QName("otherPermission");
    private static final QName SUM_TYPE = new QName("checkSumType");
    private static final QName SUM_VALUE = new QName("checkSumValue");
    private static final QName INSIDE = new QName("arrayOfSubPaths");

    private static final String FOR_EVER = "-1";
    private static final int OWNER_BITS = 6;
    private static final int GROUP_BITS = 3;

    /** A checksum, and how it was made. */
    record Checksum(String type, String value) {}

    Detail {
        requireNonNull(path, "path is null");
        requireNonNull(status, "status is null");
    }

    static Detail of(String path, TreeEntry entry) {
        return new Detail(path, Status.SUCCESS, entry, null, null);
    }

    static Detail failed(String path, Status status) {
        return new Detail(path, status, null, null, null);
    }

    /** Writes it as an element of an array. */
    void write(XmlWriter out, boolean isFull) {
        out.open(ARRAY).element(PATH, path);
        status.write(out, STATUS);
        if (entry != null) {
            writeEntry(out, entry, isFull);
        }
        if (checksum != null) {
            out.element(SUM_TYPE, checksum.type()).element(SUM_VALUE, checksum.value());
        }
        if (inside != null && !inside.isEmpty()) {
            out.open(INSIDE);
            inside.forEach(one -> one.write(out, isFull));
            out.close();
        }
        out.close();
    }

    private static void writeEntry(XmlWriter out, TreeEntry entry, boolean isFull) {
        boolean isDirectory = entry.kind() == TreeEntry.Kind.DIRECTORY;
        out.element(SIZE, isDirectory ? "0" : Long.toString(entry.size()));
        if (isFull) {
            out.element(MODIFIED, Instant.ofEpochSecond(entry.modified()).toString());
            out.element(STORAGE, "PERMANENT");
            out.open(POLICY_INFO)
                    .element(POLICY, "REPLICA")
                    .element(LATENCY, "ONLINE")
                    .close();
            out.element(LOCALITY, isDirectory ? "NONE" : "ONLINE");
        }
        switch (entry.kind()) {
            case DIRECTORY -> out.element(TYPE, "DIRECTORY");
            case LINK -> out.element(TYPE, "LINK");
            case FILE -> out.element(TYPE, "FILE");
            case OTHER -> {
                // a pipe or a device: the standard has no word for it
            }
        }
        if (isFull) {
            int mode = entry.mode();
            out.element(LIFETIME, FOR_EVER).element(LEFT, FOR_EVER);
            out.open(OWNER).element(USER_ID, entry.owner());
            out.element(MODE, Permission.word(mode >> OWNER_BITS)).close();
            out.open(GROUP).element(GROUP_ID, entry.group());
            out.element(MODE, Permission.word(mode >> GROUP_BITS)).close();
            out.element(OTHER, Permission.word(mode));
        }
    }
}
