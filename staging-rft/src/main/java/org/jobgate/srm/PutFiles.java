// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.files.TreeEntry;
import org.jobgate.files.UploadPart;
import org.jobgate.srm.StoredRequest.File;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Each file that is being put: which request puts it, how it gets its name, and what is cleared away where nothing comes of it. */
final class PutFiles {

    private static final Logger LOG = LoggerFactory.getLogger(PutFiles.class);

    private final Trees trees;
    private final SrmSettings settings;
    private final Requests requests;

    /** The files that are being put, by account and by where they are, and the tokens of their requests. */
    private final Map<String, String> being = new ConcurrentHashMap<>();

    PutFiles(Trees trees, SrmSettings settings, Requests requests) {
        this.trees = requireNonNull(trees, "trees is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.requests = requireNonNull(requests, "requests is null");
    }

    /** Notes that this request puts a file here for the account; false where another one of the account does already. */
    boolean begin(String account, Trees.Spot spot, String token) {
        String other = being.putIfAbsent(key(account, spot), token);
        return other == null || other.equals(token);
    }

    /** The token of the request by which the account puts a file here; null where there is none. */
    @Nullable
    String beingPut(String account, Trees.Spot spot) {
        return spot.way().isEmpty() ? null : being.get(key(account, spot));
    }

    /** The request puts no file here any more. */
    void over(String account, Trees.Spot spot, String token) {
        being.remove(key(account, spot), token);
    }

    /**
     * Where a file is being put, and by which account. Another account may put the same one: it may not even be allowed to write there, which
     * only the file system knows, and must not keep those out who are. Whose content stays is settled when a put is done.
     */
    static String key(String account, Trees.Spot spot) {
        return account + ":" + spot.tree().tree().directory(account) + Surl.path(spot.way());
    }

    /** The file with how much of it has arrived; the same where nothing has, or that cannot be seen now. */
    File arriving(StoredRequest request, File file) {
        String part = file.part();
        if (!file.isOpen() || part == null) {
            return file;
        }
        try {
            Trees.Spot hidden = trees.spot(request.account(), file.names()).beside(part);
            TreeEntry put = Trees.of(() -> hidden.tree().stat(hidden.way()));
            return put.kind() == TreeEntry.Kind.FILE ? file.withArrived(put.size()) : file;
        } catch (SrmException e) {
            // what it means is told when the file is to get its name
            LOG.debug("What was put for the SRM request {} is not seen: {}", request.token(), e.getMessage());
            return file;
        }
    }

    /** Done, where the file got its name and the service died before it could remember that; else null. */
    private @Nullable File named(StoredRequest request, File file) {
        Long arrived = file.arrived();
        String part = file.part();
        if (arrived == null || part == null) {
            return null;
        }
        Trees.Spot spot = trees.spot(request.account(), file.names());
        Trees.Spot hidden = spot.beside(part);
        if (isThere(hidden) || !isFileOf(spot, arrived)) {
            return null;
        }
        over(request.account(), spot, request.token());
        return file.as(Status.SUCCESS).withSize(arrived);
    }

    private static boolean isThere(Trees.Spot spot) {
        return stat(spot).isPresent();
    }

    private static boolean isFileOf(Trees.Spot spot, long bytes) {
        return stat(spot)
                .filter(entry -> entry.kind() == TreeEntry.Kind.FILE && entry.size() == bytes)
                .isPresent();
    }

    private static Optional<TreeEntry> stat(Trees.Spot spot) {
        try {
            return Optional.of(Trees.of(() -> spot.tree().stat(spot.way())));
        } catch (SrmException e) {
            if (e.status().code() == Code.SRM_INVALID_PATH) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** What has become of a file; one that nothing was put of stays open. */
    File done(StoredRequest request, File file) {
        String part = file.part();
        if (!file.isOpen() || part == null) {
            return file;
        }
        Trees.Spot spot = trees.spot(request.account(), file.names());
        Trees.Spot hidden = spot.beside(part);
        TreeEntry put = stat(hidden).orElse(null);
        if (put == null) {
            File named = named(request, file);
            return named == null ? file : named;
        }
        if (put.kind() != TreeEntry.Kind.FILE) {
            return failed(request, file, new Status(Code.SRM_FAILURE, "What was put is no regular file."));
        }
        try {
            Trees.does(() -> hidden.tree().rename(hidden.way(), spot.way(), file.replace()));
        } catch (SrmException e) {
            if (e.status().code() == Code.SRM_INTERNAL_ERROR) {
                throw e;
            }
            return failed(request, file, e.status());
        }
        over(request.account(), spot, request.token());
        return file.as(Status.SUCCESS).withSize(put.size());
    }

    private File failed(StoredRequest request, File file, Status status) {
        left(request, file);
        return file.as(status);
    }

    /** Nothing more comes of a file: what was put of it goes away. */
    void left(StoredRequest request, File file) {
        String part = file.part();
        if (!file.isOpen() || part == null) {
            return;
        }
        Trees.Spot spot;
        try {
            spot = trees.spot(request.account(), file.names());
        } catch (SrmException e) {
            LOG.warn(
                    "What was put for the SRM request {} stays, for its tree is gone: {}",
                    request.token(),
                    e.getMessage());
            return;
        }
        Trees.Spot hidden = spot.beside(part);
        try {
            dropPart(hidden);
            boolean was = Trees.of(() -> hidden.tree().remove(hidden.way(), false));
            LOG.debug(
                    "{} of the SRM request {} was {}", hidden.shown(), request.token(), was ? "removed" : "not there");
        } catch (SrmException e) {
            if (e.status().code() == Code.SRM_INTERNAL_ERROR && requests.now() < patience(request)) {
                throw e;
            }
            if (e.status().code() != Code.SRM_INVALID_PATH) {
                // to try again for ever would keep the request for ever
                LOG.warn(
                        "What was put for the SRM request {} stays as {}, for it cannot be removed: {}",
                        request.token(),
                        hidden.shown(),
                        e.getMessage());
            }
        }
        over(request.account(), spot, request.token());
    }

    /** A client that was cut off while it sent the file by https has left a part of it; who sends still cannot finish it then. */
    private static void dropPart(Trees.Spot hidden) {
        try {
            Trees.does(() ->
                    hidden.tree().drop(hidden.way(), UploadPart.of(hidden.tree().tree(), hidden.way())));
        } catch (SrmException e) {
            if (e.status().code() == Code.SRM_INTERNAL_ERROR) {
                throw e;
            }
            // the file itself may be removed all the same; what it means is told there
            LOG.debug("The part of {} is not removed: {}", hidden.shown(), e.getMessage());
        }
    }

    /** Until then it is tried to remove what was put of a request whose time is over, in seconds since 1970. */
    private long patience(StoredRequest request) {
        return request.until() + settings.kept().toSeconds();
    }

    /** Ends a file before it is done, with this status. */
    File end(StoredRequest request, File file, Status status) {
        if (!file.isOpen()) {
            return file;
        }
        try {
            File named = named(request, file);
            if (named != null) {
                return named;
            }
        } catch (SrmException e) {
            if (e.status().code() == Code.SRM_INTERNAL_ERROR && requests.now() < patience(request)) {
                throw e;
            }
            LOG.warn(
                    "Whether a file of the SRM request {} got its name is not seen, so it counts as not put: {}",
                    request.token(),
                    e.getMessage());
        }
        left(request, file);
        return file.as(status);
    }
}
