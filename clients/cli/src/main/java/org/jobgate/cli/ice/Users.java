// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jobgate.cli.proxy.UserProxy;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.TrustDirectory;
import org.jspecify.annotations.Nullable;

/** The proxies of the owners of jobs: of each the one that is valid longest, renewed at a MyProxy server where one is named. */
final class Users {

    private static final long LOOK_MS = 5_000;
    private static final long RENEW_PAUSE_MS = 60_000;
    private static final Duration LIFETIME = Duration.ofHours(12);

    private final LiveJobs jobs;
    private final Clock clock;
    private final long renewBeforeMs;
    private final @Nullable Credential renewer;
    private final TrustDirectory trusted;
    private final Consumer<String> log;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /**
     * @param renewBefore how long before a proxy ends it is renewed
     * @param renewer who asks MyProxy servers; null where that is not wanted
     */
    Users(
            LiveJobs jobs,
            Clock clock,
            Duration renewBefore,
            @Nullable Credential renewer,
            TrustDirectory trusted,
            Consumer<String> log) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.renewBeforeMs = renewBefore.toMillis();
        this.renewer = renewer;
        this.trusted = requireNonNull(trusted, "trusted is null");
        this.log = requireNonNull(log, "log is null");
    }

    private static final class Known {
        private @Nullable UserProxy best;
        private long looked;
        private volatile long renewed;
    }

    /**
     * The owner's best proxy.
     *
     * @throws CredentialException none can be used; the message says why
     */
    UserProxy best(String owner) throws CredentialException {
        Known user = known.computeIfAbsent(owner, name -> new Known());
        synchronized (user) {
            UserProxy last = user.best;
            if (last != null
                    && user.looked + LOOK_MS > clock.millis()
                    && last.end().isAfter(clock.instant())) {
                return last;
            }
            UserProxy best = find(owner, jobs.proxies(owner).keySet());
            user.best = best;
            user.looked = clock.millis();
            return best;
        }
    }

    private UserProxy find(String owner, Iterable<Path> files) throws CredentialException {
        UserProxy best = null;
        CredentialException trouble = new CredentialException("No job of " + owner + " names a proxy.");
        for (Path file : files) {
            try {
                UserProxy proxy = UserProxy.read(file);
                if (!proxy.owner().equals(owner)) {
                    throw new CredentialException("The proxy in " + file + " is now one of " + proxy.owner()
                            + "; the jobs are those of " + owner + ".");
                }
                if (!proxy.end().isAfter(clock.instant())) {
                    throw new CredentialException("The proxy in " + file + " has expired.");
                }
                if (best == null || proxy.end().isAfter(best.end())) {
                    best = proxy;
                }
            } catch (CredentialException e) {
                trouble = e;
            }
        }
        if (best == null) {
            throw trouble;
        }
        return best;
    }

    /** Renews the owner's best proxy where it ends soon and a MyProxy server is named. Takes as long as that server. */
    void renew(String owner) {
        Known user = known.computeIfAbsent(owner, name -> new Known());
        Credential own = renewer;
        Map<Path, String> files = jobs.proxies(owner);
        try {
            UserProxy best = find(owner, files.keySet());
            String server = files.getOrDefault(best.credential().source(), "");
            boolean endsSoon = best.end().toEpochMilli() - clock.millis() < renewBeforeMs;
            if (own == null || server.isEmpty() || !endsSoon || user.renewed + RENEW_PAUSE_MS > clock.millis()) {
                return;
            }
            user.renewed = clock.millis();
            int at = server.lastIndexOf('@');
            best.renew(server.substring(at + 1), server.substring(0, Math.max(at, 0)), own, trusted, LIFETIME);
            synchronized (user) {
                user.best = null;
            }
            log.accept("The proxy of " + owner + " in " + best.credential().source() + " was renewed.");
        } catch (IOException | CredentialException e) {
            log.accept("The proxy of " + owner + " could not be renewed: " + e.getMessage());
        }
    }
}
