// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.job.JobId;
import org.jobgate.srm.StoredRequest.File;
import org.jobgate.srm.StoredRequest.Kind;
import org.jobgate.transfer.TransferEngine;
import org.jobgate.transfer.TransferRecord;
import org.jobgate.transfer.TransferRequest;
import org.jobgate.transfer.TransferState;
import org.jobgate.transfer.TransferTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the transfer engine make the copies, and gives files that came here their names when they are whole. What was begun goes on after a
 * restart: a file that was copied and not named yet is named then.
 */
final class CopyWork {

    private static final Logger LOG = LoggerFactory.getLogger(CopyWork.class);

    private final TransferEngine engine;
    private final Requests requests;
    private final PutFiles puts;

    /** Requests whose transfers are over and could not be written down, or whose files could not be named, and their owners. */
    private final Map<String, String> unfinished = new ConcurrentHashMap<>();

    CopyWork(TransferEngine engine, Requests requests, PutFiles puts) {
        this.engine = requireNonNull(engine, "engine is null");
        this.requests = requireNonNull(requests, "requests is null");
        this.puts = requireNonNull(puts, "puts is null");
    }

    /** The token is a UUID without its hyphens. */
    private static JobId id(StoredRequest request) {
        String token = request.token();
        return new JobId(new UUID(
                Long.parseUnsignedLong(token.substring(0, 16), 16), Long.parseUnsignedLong(token.substring(16), 16)));
    }

    private static String orderId(StoredRequest request) {
        return "srm-" + request.token();
    }

    /** What the engine is to do; files that failed before anything was moved have no place in it. */
    private static TransferRequest order(StoredRequest request) {
        List<TransferTask> tasks = new ArrayList<>();
        for (File file : request.files()) {
            StoredRequest.Copy copy = file.copy();
            if (copy != null && !copy.from().isEmpty()) {
                tasks.add(new TransferTask(
                        CopyOperations.url(copy.from()), CopyOperations.url(copy.to()), Map.of(), false));
            }
        }
        return new TransferRequest(
                orderId(request),
                id(request),
                request.owner(),
                request.account(),
                request.credential(),
                tasks,
                0,
                0,
                false,
                null,
                true);
    }

    /** Begins a request, or goes on with it. */
    void begin(StoredRequest request) {
        var unused = engine.submit(order(request))
                .thenAcceptAsync(
                        result -> over(request.owner(), request.token()),
                        command -> Thread.ofVirtual().name("srm-copy").start(command));
    }

    /** A request that was made before the service was started. */
    void remember(StoredRequest request, Trees trees) {
        if (request.kind() != Kind.COPY) {
            return;
        }
        if (!request.isOpen()) {
            // a service that was killed when it had written the end down may not have come to this
            forget(request);
            return;
        }
        for (File file : request.files()) {
            if (file.isOpen() && file.part() != null) {
                try {
                    puts.begin(request.account(), trees.spot(request.account(), file.names()), request.token());
                } catch (SrmException e) {
                    LOG.warn(
                            "A file of the SRM request {} is in no tree any more: {}", request.token(), e.getMessage());
                }
            }
        }
        begin(request);
    }

    /** How the files of a request stand, in their order; with none where all are over. */
    List<TransferRecord> standing(StoredRequest request) {
        if (!request.isOpen()) {
            return List.of();
        }
        List<TransferRecord> of = engine.standing(order(request));
        List<TransferRecord> all = new ArrayList<>();
        int next = 0;
        for (File file : request.files()) {
            StoredRequest.Copy copy = file.copy();
            boolean isIn = copy != null && !copy.from().isEmpty();
            all.add(isIn ? of.get(next++) : new TransferRecord(TransferState.FAILED, 0, null, 0, null, null, null));
        }
        return all;
    }

    /** Stops the copies of a request; returns when nothing of it is on its way. */
    void stop(StoredRequest request) {
        if (request.kind() == Kind.COPY && request.isOpen()) {
            engine.cancel(orderId(request)).join();
        }
    }

    /** Forgets what the engine remembers of a request that is over. */
    void forget(StoredRequest request) {
        if (request.kind() == Kind.COPY && !request.isOpen()) {
            engine.forget(id(request));
            unfinished.remove(request.token());
        }
    }

    /** Tries again what could not be written down. */
    void again() {
        Map.copyOf(unfinished).forEach((token, owner) -> over(owner, token));
    }

    /** How many wait for that. */
    Set<String> waiting() {
        return Set.copyOf(unfinished.keySet());
    }

    private void over(String owner, String token) {
        try {
            // the bytes are on disk before the first file gets its name, as with files that are put
            requests.change(
                    owner,
                    token,
                    request -> {
                        List<TransferRecord> standing = standing(request);
                        return request.withEach(
                                (file, place) -> isWhole(file, standing, place) ? puts.arriving(request, file) : file);
                    },
                    Kind.COPY);
            StoredRequest after = requests.change(
                    owner,
                    token,
                    request -> {
                        List<TransferRecord> standing = standing(request);
                        return request.withEach(
                                (file, place) -> file.isOpen() ? ended(request, file, standing.get(place)) : file);
                    },
                    Kind.COPY);
            if (after.isOpen()) {
                unfinished.put(token, owner);
            } else {
                forget(after);
            }
        } catch (SrmException e) {
            unfinished.remove(token);
            LOG.debug("The SRM request {} was over when its copies were: {}", token, e.getMessage());
        } catch (RuntimeException e) {
            unfinished.put(token, owner);
            LOG.warn("What came of the SRM request {} could not be written down; that is tried again", token, e);
        }
    }

    private static boolean isWhole(File file, List<TransferRecord> standing, int place) {
        return file.isOpen() && standing.get(place).state() == TransferState.FINISHED;
    }

    private File ended(StoredRequest request, File file, TransferRecord record) {
        return switch (record.state()) {
            case FINISHED -> named(request, file, record);
            case CANCELLED -> puts.end(request, file, new Status(Code.SRM_ABORTED, null));
            case FAILED ->
                puts.end(
                        request,
                        file,
                        new Status(
                                Code.SRM_FAILURE,
                                ("It could not be copied: " + record.error() + ". "
                                                + (record.remedy() == null ? "" : record.remedy()))
                                        .strip()));
            case PENDING, ACTIVE, RETRYING -> file;
        };
    }

    private File named(StoredRequest request, File file, TransferRecord record) {
        if (file.part() == null) {
            return file.as(Status.SUCCESS).withSize(record.bytes());
        }
        try {
            File done = puts.done(request, file);
            return done.isOpen()
                    ? puts.end(
                            request,
                            file,
                            new Status(Code.SRM_FAILURE, "What was copied is gone; somebody has removed it."))
                    : done;
        } catch (SrmException e) {
            LOG.warn("A copy of the SRM request {} has no name yet: {}", request.token(), e.getMessage());
            return file; // it stays open, and is tried again
        }
    }
}
