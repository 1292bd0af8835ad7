// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Requests of clients to have files moved that are not those of a job, whichever door they came by. A request belongs to the subject who made
 * it. To everybody else it is not there, and looks as one that never was. Each call asks the site's policy about the caller first; what a call has
 * changed is on disk when it returns.
 *
 * <p>Refusals are {@link FaultException}s: {@code NOT_AUTHORIZED}, {@code INVALID_DESCRIPTION} with what is wrong, {@code CREDENTIAL_UNUSABLE},
 * {@code LIMIT_EXCEEDED} by name, {@code STORE_UNAVAILABLE}.
 */
public interface Transfers {

    /** How a request stands as a whole; one file that failed makes it failed. */
    enum State {
        PENDING,
        ACTIVE,
        DONE,
        FAILED,
        CANCELLED
    }

    /**
     * One file to be copied.
     *
     * @param options of the copy, such as {@code parallelStreams}
     */
    record File(String source, String destination, Map<String, String> options) {
        public File {
            requireNonNull(source, "source is null");
            requireNonNull(destination, "destination is null");
            options = Map.copyOf(options);
        }
    }

    /**
     * What is to be moved.
     *
     * @param credential the id of a delegated one; absent where none is needed
     * @param clientId the client's own id of the request; the same again answers what the first made
     */
    record Order(
            List<File> files,
            @Nullable String credential,
            @Nullable String clientId) {
        public Order {
            files = List.copyOf(files);
        }
    }

    /**
     * A request as it stands.
     *
     * @param files how many it has; what is in directories counts from when they were listed
     * @param bytes that were moved, in all attempts
     * @param terminates when it is forgotten
     * @param failure what failed last, in a sentence; absent where nothing did
     */
    record Moving(
            String id,
            State state,
            int files,
            int done,
            int failed,
            long bytes,
            Instant created,
            Instant terminates,
            @Nullable String failure) {
        public Moving {
            requireNonNull(id, "id is null");
            requireNonNull(state, "state is null");
            requireNonNull(created, "created is null");
            requireNonNull(terminates, "terminates is null");
        }
    }

    /** A request, and the subject who made it. */
    record Owned(String subject, Moving request) {
        public Owned {
            requireNonNull(subject, "subject is null");
            requireNonNull(request, "request is null");
        }
    }

    /**
     * A request that was asked for.
     *
     * @param isNew whether it was made by this call
     */
    record Made(Moving request, boolean isNew) {}

    /**
     * Makes a request and starts it.
     *
     * @throws FaultException also {@code KEY_REUSED} where the client's id names a request for something else
     */
    Made create(Caller caller, Order order);

    /** The caller's request of this id. */
    Optional<Moving> find(Caller caller, String id);

    /**
     * The caller's request of this id, as {@link #find} answers it, as soon as it stands otherwise than was seen or is gone, and when the time is
     * over; at once while the service ends. The policy is asked once more then. How many may wait at once is the door's to bound.
     *
     * @param seen how it stood when the caller saw it last
     */
    Optional<Moving> awaitChange(Caller caller, String id, State seen, Duration timeout);

    /**
     * The caller's requests, the newest first.
     *
     * @param after the last id of the page before; null for the first page
     * @param limit how many at the most
     */
    List<Moving> list(Caller caller, @Nullable String after, int limit);

    /**
     * The requests of everybody, the newest first. The caller must be an administrator.
     *
     * @param after the last id of the page before; null for the first page
     * @param limit how many at the most
     * @throws FaultException of code {@code NOT_AUTHORIZED} where the caller is none
     */
    List<Owned> everybodys(Caller caller, @Nullable String after, int limit);

    /** Stops what of the caller's request is not over; answers it as it stands then. */
    Optional<Moving> cancel(Caller caller, String id);

    /** Stops a request and forgets it; answers whether the caller had one of this id. */
    boolean destroy(Caller caller, String id);
}
