// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The part in which a file of a tree is kept while it is put over HTTP: who removes what is left of a file must find it too. */
public final class UploadPart {

    /**
     * What the names of files begin with that a door gives to one put each, and whose parts it removes itself: there a part is the same whoever
     * sends it.
     */
    public static final String OF_ONE_PUT = ".srm-put-";

    private static final int BYTES = 16;

    private UploadPart() {}

    /**
     * The name of the part, as {@link AccountTree#put} takes it: the same for the same file, of characters that every file name may have.
     *
     * @param way of the file that is put, below the top of the tree
     */
    public static String of(ExportedTree tree, List<String> way) {
        return of(tree, way, "");
    }

    /**
     * The name of the part of one of several uploads of the same file, which have parts of their own: what they bring is never mixed.
     *
     * @param upload which of them, as the client names it; empty where it does not
     */
    public static String of(ExportedTree tree, List<String> way, String upload) {
        boolean isShared = upload.isEmpty() || (!way.isEmpty() && way.getLast().startsWith(OF_ONE_PUT));
        // no name has a zero byte in it
        String file = tree.name() + "/" + String.join("/", way) + (isShared ? "" : "\0" + upload);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(FileNames.bytes(file));
            return "put-" + HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
