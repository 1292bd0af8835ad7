// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jobgate.files.FileNames;
import org.jspecify.annotations.Nullable;

/**
 * A request for files to be moved, as it is remembered.
 *
 * @param token by which its owner knows it
 * @param account the local account whose files they are
 * @param description the owner's own words for it; empty where there are none
 * @param created in seconds since 1970
 * @param until when it is over by itself; of one that is over, until when it is remembered
 * @param credential the id of the delegated credential by which files are copied; absent where none is used
 */
record StoredRequest(
        String token,
        Kind kind,
        String owner,
        String account,
        String description,
        long created,
        long until,
        List<File> files,
        @Nullable String credential) {

    /** What is asked for, by its word in SRM. */
    enum Kind {
        PREPARE_TO_GET,
        PREPARE_TO_PUT,
        BRING_ONLINE,
        COPY
    }

    /**
     * Where a file is copied.
     *
     * @param target as the client wrote it
     * @param from URL of the source; empty where nothing is copied
     * @param to URL of the destination
     */
    record Copy(String target, String from, String to) {
        Copy {
            requireNonNull(target, "target is null");
            requireNonNull(from, "from is null");
            requireNonNull(to, "to is null");
        }
    }

    /**
     * One file.
     *
     * @param surl as the client wrote it
     * @param path the names that it says, percent-encoded
     * @param part the name beside it under which a file is put; absent where it is not put
     * @param replace whether what has its name then is replaced
     * @param size in bytes; -1 where that is not known
     * @param arrived of a file that is put, how many bytes had arrived when it was about to get its name; absent before that
     * @param copy absent where nothing is to be copied by us
     */
    record File(
            String surl,
            String path,
            Code code,
            @Nullable String explanation,
            @Nullable String turl,
            @Nullable String part,
            boolean replace,
            long size,
            @Nullable Long arrived,
            @Nullable Copy copy) {

        /** One that the client moves itself. */
        File(
                String surl,
                String path,
                Code code,
                @Nullable String explanation,
                @Nullable String turl,
                @Nullable String part,
                boolean replace,
                long size,
                @Nullable Long arrived) {
            this(surl, path, code, explanation, turl, part, replace, size, arrived, null);
        }

        File {
            requireNonNull(surl, "surl is null");
            requireNonNull(path, "path is null");
            requireNonNull(code, "code is null");
        }

        static File failed(String surl, Status status) {
            return new File(Surl.echo(surl), "", status.code(), status.explanation(), null, null, false, -1, null);
        }

        File as(Status status) {
            return new File(surl, path, status.code(), status.explanation(), turl, part, replace, size, arrived, copy);
        }

        File copying(Copy what) {
            return new File(surl, path, code, explanation, turl, part, replace, size, arrived, what);
        }

        /** Where it is copied to, as the client wrote it; empty where it is not copied. */
        String target() {
            return copy == null ? "" : copy.target();
        }

        File withSize(long bytes) {
            return new File(surl, path, code, explanation, turl, part, replace, bytes, arrived, copy);
        }

        File withArrived(long bytes) {
            return new File(surl, path, code, explanation, turl, part, replace, size, bytes, copy);
        }

        Status status() {
            return new Status(code, explanation);
        }

        /** Whether something is still to come of it. */
        boolean isOpen() {
            return code == Code.SRM_FILE_PINNED || code == Code.SRM_SPACE_AVAILABLE || code == Code.SRM_REQUEST_QUEUED;
        }

        static String path(List<String> names) {
            return FileNames.encoded(String.join("/", names));
        }

        List<String> names() {
            List<String> names = new ArrayList<>();
            for (String part : path.split("/", -1)) {
                names.add(FileNames.decoded(part));
            }
            return names;
        }
    }

    /** One without a credential. */
    StoredRequest(
            String token,
            Kind kind,
            String owner,
            String account,
            String description,
            long created,
            long until,
            List<File> files) {
        this(token, kind, owner, account, description, created, until, files, null);
    }

    StoredRequest {
        requireNonNull(token, "token is null");
        requireNonNull(kind, "kind is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(account, "account is null");
        requireNonNull(description, "description is null");
        files = List.copyOf(files);
    }

    boolean isOpen() {
        return files.stream().anyMatch(File::isOpen);
    }

    /** The same with other files. */
    StoredRequest withFiles(UnaryOperator<File> change) {
        return withEach((file, place) -> change.apply(file));
    }

    /** The same with other files, which are changed by their places. */
    StoredRequest withEach(BiFunction<File, Integer, File> change) {
        List<File> changed = new ArrayList<>();
        for (File file : files) {
            changed.add(change.apply(file, changed.size()));
        }
        return new StoredRequest(token, kind, owner, account, description, created, until, changed, credential);
    }

    StoredRequest until(long seconds) {
        return new StoredRequest(token, kind, owner, account, description, created, seconds, files, credential);
    }
}
