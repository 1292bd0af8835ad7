// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jobgate.access.Caller;
import org.jobgate.access.OwnedKind;
import org.jobgate.access.Transfers;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.limits.Limit;
import org.jobgate.transfer.Tally;
import org.jspecify.annotations.Nullable;

/**
 * The requests for doors that do not speak SOAP. A client's own id of a request is in the request's id as a mark, so that it is known again as long as
 * the request is.
 */
final class OwnTransfers implements Transfers {

    private static final int LOCKS = 64;

    private final RftRequests requests;
    private final RequestRules rules;
    private final StatusWaits waits;
    private final Limit files;
    private final Clock clock;
    private final SecureRandom random;

    /** One request with an id of the client's is made at a time, of one owner. */
    private final List<Lock> making =
            Stream.generate(() -> (Lock) new ReentrantLock()).limit(LOCKS).toList();

    OwnTransfers(
            RftRequests requests,
            RequestRules rules,
            StatusWaits waits,
            Limit files,
            Clock clock,
            SecureRandom random) {
        this.requests = requireNonNull(requests, "requests is null");
        this.rules = requireNonNull(rules, "rules is null");
        this.waits = requireNonNull(waits, "waits is null");
        this.files = requireNonNull(files, "files is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
    }

    @Override
    public Made create(Caller caller, Order order) {
        String account = caller.transferAccount();
        String owner = caller.subject();
        String clientId = order.clientId();
        if (clientId == null) {
            return new Made(made(stored(order, JobId.create(clock, random), owner, account)), true);
        }
        JobId id = marked(clock, owner, clientId);
        StoredRequest request = stored(order, id, owner, account);
        Lock lock = making.get(Math.floorMod(owner.hashCode(), LOCKS));
        lock.lock();
        try {
            return requests.keys(owner).stream()
                    .filter(key -> JobId.parse(key).isMarkedAs(id))
                    .findFirst()
                    .flatMap(key -> requests.find(owner, key))
                    .flatMap(before -> again(before, request))
                    .map(moving -> new Made(moving, false))
                    .orElseGet(() -> new Made(made(request), true));
        } finally {
            lock.unlock();
        }
    }

    private Moving made(StoredRequest request) {
        rules.check(request).ifPresent(missing -> {
            throw new FaultException(Fault.of(
                    FaultCode.CREDENTIAL_UNUSABLE, missing, "Delegate a credential and name its id in the request."));
        });
        return moving(requests.createBegun(request, requests.latest()));
    }

    /** What the same id made before, where it was for the same; empty where that has been destroyed in this moment. */
    private Optional<Moving> again(RftRequests.Present before, StoredRequest wanted) {
        try {
            StoredRequest made = before.request();
            boolean isSame =
                    made.files().equals(wanted.files()) && Objects.equals(made.credential(), wanted.credential());
            if (!isSame) {
                throw new FaultException(Fault.of(
                        FaultCode.KEY_REUSED,
                        "The key made the request " + before.key()
                                + ", which is to move other files or with another credential.",
                        "Use a key of its own for each request."));
            }
            // an earlier build may have ended between making it and beginning it, or its store failed there
            return requests.begin(before)
                    ? requests.find(before.owner(), before.key()).map(OwnTransfers::moving)
                    : Optional.of(moving(before));
        } catch (GoneRequestException e) {
            return Optional.empty();
        }
    }

    /** A new id by which the client's own is known again. */
    static JobId marked(Clock clock, String owner, String clientId) {
        return JobId.marked(clock, mark(owner, clientId));
    }

    private static byte[] mark(String owner, String clientId) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(owner.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            return digest.digest(clientId.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private StoredRequest stored(Order order, JobId id, String owner, String account) {
        files.check(order.files().size(), "Files of the request");
        List<StoredRequest.File> all = new ArrayList<>();
        for (File file : order.files()) {
            Map<String, String> options = new HashMap<>();
            file.options().forEach((name, value) -> {
                if (name.equals(RequestReading.ATTEMPTS)) {
                    options.put(name, RequestReading.attempts(value));
                } else {
                    RequestReading.option(name, value, "the options of a file", options);
                }
            });
            all.add(new StoredRequest.File(
                    RequestReading.url(file.source(), "source"),
                    RequestReading.url(file.destination(), "destination"),
                    options));
        }
        return new StoredRequest(id.toString(), owner, account, order.credential(), 0, 0, false, all);
    }

    @Override
    public Optional<Moving> find(Caller caller, String id) {
        return requests.find(caller.query(OwnedKind.TRANSFERS), id).map(OwnTransfers::moving);
    }

    @Override
    public Optional<Moving> awaitChange(Caller caller, String id, State seen, Duration timeout) {
        String owner = caller.query(OwnedKind.TRANSFERS);
        Optional<Moving> now = requests.find(owner, id).map(OwnTransfers::moving);
        if (now.isEmpty() || now.get().state() != seen) {
            return now;
        }
        Optional<Moving> then = waits.await(
                id,
                read -> read.map(moving -> moving.state() == seen).orElse(false),
                timeout,
                () -> requests.find(owner, id).map(OwnTransfers::moving));
        var unused = caller.query(OwnedKind.TRANSFERS);
        return then;
    }

    @Override
    public List<Moving> list(Caller caller, @Nullable String after, int limit) {
        String owner = caller.query(OwnedKind.TRANSFERS);
        return requests.keys(owner).stream()
                .filter(key -> after == null || key.compareTo(after) < 0)
                .sorted(Comparator.reverseOrder())
                .flatMap(key -> requests.find(owner, key).stream())
                .limit(limit)
                .map(OwnTransfers::moving)
                .toList();
    }

    @Override
    public List<Owned> everybodys(Caller caller, @Nullable String after, int limit) {
        var unused = caller.lookAsAdministrator("see what files are moved for others");
        return requests.keys().stream()
                .filter(key -> after == null || key.compareTo(after) < 0)
                .sorted(Comparator.reverseOrder())
                .flatMap(key -> requests.present(key).stream())
                .limit(limit)
                .map(present -> new Owned(present.owner(), moving(present)))
                .toList();
    }

    @Override
    public Optional<Moving> cancel(Caller caller, String id) {
        String owner = caller.manage(OwnedKind.TRANSFERS);
        try {
            Optional<RftRequests.Present> present = requests.find(owner, id);
            present.ifPresent(one -> requests.cancel(
                    one,
                    IntStream.range(0, one.request().files().size()).boxed().collect(Collectors.toSet())));
            return present.flatMap(one -> requests.find(owner, id)).map(OwnTransfers::moving);
        } catch (GoneRequestException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean destroy(Caller caller, String id) {
        Optional<RftRequests.Present> present = requests.find(caller.manage(OwnedKind.TRANSFERS), id);
        present.ifPresent(one -> requests.destroy(one.key()));
        return present.isPresent();
    }

    private static Moving moving(RftRequests.Present present) {
        Tally tally = present.tally();
        return new Moving(
                present.key(),
                State.valueOf(present.status().name()),
                tally.all(),
                tally.finished(),
                tally.failed(),
                tally.bytes(),
                JobId.parse(present.key()).made(),
                present.state().terminates(),
                tally.fault());
    }
}
