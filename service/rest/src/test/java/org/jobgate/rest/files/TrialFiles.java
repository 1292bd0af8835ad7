// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jspecify.annotations.Nullable;

/** Files in memory, which can be told to misbehave. */
final class TrialFiles implements AccountFiles {

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Content(String file, byte[] bytes) {}

    private final Map<String, Content> files = new ConcurrentHashMap<>();
    private final Map<String, FileAnswer.Refused> refusals = new ConcurrentHashMap<>();
    volatile @Nullable Runnable afterRead;
    volatile boolean areAway;
    volatile int longestRead;

    void put(String name, String file, byte[] bytes) {
        files.put(name, new Content(file, bytes.clone()));
    }

    void refuse(String name, FileAnswer.Reason reason) {
        refusals.put(name, new FileAnswer.Refused(reason, name + " cannot be had."));
    }

    boolean has(String name) {
        return files.containsKey(name);
    }

    private static String name(FilePlace place) {
        return switch (place) {
            case FilePlace.Named named -> named.path();
            case FilePlace.Below below -> "below " + String.join("/", below.names());
        };
    }

    @Override
    public FileAnswer read(String account, FilePlace place, long offset, int length) throws FilesUnavailableException {
        if (areAway || !account.equals("alice")) {
            throw new FilesUnavailableException("the disk of " + account + " is away");
        }
        longestRead = Math.max(longestRead, length);
        String name = name(place);
        FileAnswer.Refused refused = refusals.get(name);
        if (refused != null) {
            return refused;
        }
        Content content = files.get(name);
        if (content == null) {
            return new FileAnswer.Refused(FileAnswer.Reason.NOT_FOUND, "There is no file " + name + ".");
        }
        int size = content.bytes().length;
        int from = (int) Math.min(offset, size);
        byte[] part = Arrays.copyOfRange(content.bytes(), from, (int) Math.min(size, (long) from + length));
        Runnable then = afterRead;
        if (then != null) {
            then.run();
        }
        return new FileAnswer.Part(size, content.file(), part);
    }

    @Override
    public FileAnswer remove(String account, FilePlace place) {
        FileAnswer.Refused refused = refusals.get(name(place));
        files.remove(name(place));
        return refused != null ? refused : new FileAnswer.Removed();
    }

    @Override
    public void close() {}
}
