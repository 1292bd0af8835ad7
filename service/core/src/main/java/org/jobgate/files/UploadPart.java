// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The part in which a file of a tree is kept while it is put over HTTP: who removes what is left of a file must find it too. */
public final class UploadPart {

    private static final int BYTES = 16;

    private UploadPart() {}

    /**
     * The name of the part, as {@link AccountTree#put} takes it: the same for the same file, of characters that every file name may have.
     *
     * @param way of the file that is put, below the top of the tree
     */
    public static String of(ExportedTree tree, List<String> way) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(FileNames.bytes(tree.name() + "/" + String.join("/", way)));
            return "put-" + HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
