// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jobgate.files.FileNames;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.TreeEntry;
import org.jobgate.lrm.JobSideText;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a listing as a worker packs them: each seven fields with a NUL between any two. They are the account's word: whatever they
 * are, they become entries that can be, or an error.
 */
final class PackedEntries {

    private static final int KIND = 0170000;
    private static final int FILE = 0100000;
    private static final int DIRECTORY = 0040000;
    private static final int LINK = 0120000;
    private static final int PERMISSIONS = 07777;
    private static final int DIGITS = 19;

    /** The most bytes of where a link leads: PATH_MAX of Linux. */
    static final int MAX_TARGET = 4096;

    private final String account;
    private final byte[] packed;
    private int at;

    /** The owner or group before, which is as a rule that of the next entry too. */
    private byte[] lastOwner = {};

    private String lastOwnerText = "";
    private byte[] lastGroup = {};
    private String lastGroupText = "";

    PackedEntries(String account, byte[] packed) {
        this.account = requireNonNull(account, "account is null");
        this.packed = requireNonNull(packed, "packed is null");
    }

    /**
     * All of them.
     *
     * @throws FilesUnavailableException where they are not packed like that, or are more than were asked for
     */
    List<TreeEntry> read(int limit) throws FilesUnavailableException {
        List<TreeEntry> entries = new ArrayList<>();
        while (at < packed.length) {
            if (entries.size() == limit) {
                throw new FilesUnavailableException(
                        "the worker of account " + account + " listed more than it was asked for");
            }
            entries.add(entry());
        }
        return entries;
    }

    private TreeEntry entry() throws FilesUnavailableException {
        byte[] bytes = field();
        if (bytes.length > FilePlace.MAX_NAME_BYTES) {
            throw odd(); // thousands of names are held for one answer
        }
        String name = FileNames.text(bytes);
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0) {
            throw odd();
        }
        long mode = number();
        long size = number();
        long modified = number();
        byte[] owner = field();
        if (!Arrays.equals(owner, lastOwner)) {
            lastOwner = owner;
            lastOwnerText = JobSideText.line(FileNames.text(owner), WorkerTree.MAX_OWNER);
        }
        byte[] group = field();
        if (!Arrays.equals(group, lastGroup)) {
            lastGroup = group;
            lastGroupText = JobSideText.line(FileNames.text(group), WorkerTree.MAX_OWNER);
        }
        byte[] target = field();
        if (target.length > MAX_TARGET) {
            throw odd();
        }
        TreeEntry.Kind kind = kind((int) mode);
        @Nullable String leads = kind == TreeEntry.Kind.LINK ? FileNames.text(target) : null;
        return new TreeEntry(
                name, kind, Math.max(0, size), modified, (int) mode & PERMISSIONS, lastOwnerText, lastGroupText, leads);
    }

    private static TreeEntry.Kind kind(int mode) {
        return switch (mode & KIND) {
            case FILE -> TreeEntry.Kind.FILE;
            case DIRECTORY -> TreeEntry.Kind.DIRECTORY;
            case LINK -> TreeEntry.Kind.LINK;
            default -> TreeEntry.Kind.OTHER;
        };
    }

    private byte[] field() throws FilesUnavailableException {
        if (at > packed.length) {
            throw odd();
        }
        int end = at;
        while (end < packed.length && packed[end] != 0) {
            end++;
        }
        byte[] field = Arrays.copyOfRange(packed, at, end);
        at = end + 1;
        return field;
    }

    /** What is beyond the range, as {@code st_mtime} on file systems with times of 64 bits may be, is the end of the range. */
    private long number() throws FilesUnavailableException {
        byte[] digits = field();
        boolean isNegative = digits.length > 0 && digits[0] == '-';
        int begin = isNegative ? 1 : 0;
        if (digits.length == begin || digits.length - begin > DIGITS) {
            throw odd();
        }
        long value = 0;
        for (int i = begin; i < digits.length; i++) {
            if (digits[i] < '0' || digits[i] > '9') {
                throw odd();
            }
            int digit = digits[i] - '0';
            value = value > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : 10 * value + digit;
        }
        return isNegative ? -value : value;
    }

    private FilesUnavailableException odd() {
        return new FilesUnavailableException("the worker of account " + account + " listed what cannot be read");
    }
}
