// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jobgate.lrm.LrmThrottle;

/**
 * What a site may set for one LRM.
 *
 * @param name as clients name it, e.g. {@code Fork}
 * @param adapter the Perl module below {@code Jobgate::Adapter} in lower case, e.g. {@code fork}
 * @param perlDirectory where {@code jobgate-worker} and its {@code lib} are
 * @param perl the interpreter
 * @param sudo the program that runs a worker as another account
 * @param spool the directory in which an account's jobs are looked after
 * @param deniedAccounts accounts that no job may ever run as
 * @param throttle how much of it the gateway may use, at the start
 * @param maxRunning the most jobs of one account that run at once; the others wait
 * @param requestTimeout how long an answer of a worker is waited for
 * @param idleEnd after which time without requests and live jobs a worker is ended
 * @param grace from the friendly signal to the hard one when a job is ended
 * @param monitor how it is looked at
 * @param options what only this adapter knows, by name; a name that the gateway sets itself is not taken from here
 */
public record LrmSettings(
        String name,
        String adapter,
        Path perlDirectory,
        Path perl,
        Path sudo,
        LrmSpool spool,
        Set<String> deniedAccounts,
        LrmThrottle throttle,
        int maxRunning,
        Duration requestTimeout,
        Duration idleEnd,
        Duration grace,
        MonitorSettings monitor,
        Map<String, String> options) {

    public LrmSettings {
        requireNonNull(name, "name is null");
        requireNonNull(perlDirectory, "perlDirectory is null");
        requireNonNull(perl, "perl is null");
        requireNonNull(sudo, "sudo is null");
        requireNonNull(spool, "spool is null");
        deniedAccounts = Set.copyOf(deniedAccounts);
        options = Map.copyOf(options);
        if (!adapter.matches("[a-z][a-z0-9]{0,31}")) {
            throw new IllegalArgumentException("not the name of an LRM adapter: '" + adapter + "'");
        }
        requireNonNull(throttle, "throttle is null");
        requireNonNull(monitor, "monitor is null");
        requirePositive(maxRunning, "maxRunning");
        requirePositive(requestTimeout.toMillis(), "requestTimeout");
        requirePositive(idleEnd.toMillis(), "idleEnd");
        requirePositive(grace.toMillis(), "grace");
    }

    private static void requirePositive(long value, String what) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " of an LRM is " + value + "; it must be at least 1");
        }
    }

    /** The defaults for one LRM of a gateway. */
    public static LrmSettings defaults(String name, String adapter, Path perlDirectory) {
        return new LrmSettings(
                name,
                adapter,
                perlDirectory,
                Path.of("/usr/bin/perl"),
                Path.of("/usr/bin/sudo"),
                LrmSpool.of("~/.jobgate/default"),
                Set.of(),
                LrmThrottle.unlimited(100),
                1000,
                Duration.ofSeconds(60),
                Duration.ofMinutes(10),
                Duration.ofSeconds(5),
                MonitorSettings.NONE,
                Map.of());
    }

    public LrmSettings withPerl(Path value) {
        return changed(draft -> draft.perl = value);
    }

    public LrmSettings withSudo(Path value) {
        return changed(draft -> draft.sudo = value);
    }

    public LrmSettings withSpool(LrmSpool value) {
        return changed(draft -> draft.spool = value);
    }

    public LrmSettings withDeniedAccounts(Set<String> value) {
        return changed(draft -> draft.deniedAccounts = value);
    }

    public LrmSettings withThrottle(LrmThrottle value) {
        return changed(draft -> draft.throttle = value);
    }

    public LrmSettings withMonitor(MonitorSettings value) {
        return changed(draft -> draft.monitor = value);
    }

    public LrmSettings withMaxRunning(int value) {
        return changed(draft -> draft.maxRunning = value);
    }

    public LrmSettings withRequestTimeout(Duration value) {
        return changed(draft -> draft.requestTimeout = value);
    }

    public LrmSettings withIdleEnd(Duration value) {
        return changed(draft -> draft.idleEnd = value);
    }

    public LrmSettings withGrace(Duration value) {
        return changed(draft -> draft.grace = value);
    }

    public LrmSettings withOptions(Map<String, String> value) {
        return changed(draft -> draft.options = value);
    }

    public LrmSettings withSpool(String value) {
        return withSpool(LrmSpool.of(value));
    }

    /** The most jobs in one request to a worker. */
    public int batchLimit() {
        return throttle.batchLimit();
    }

    public LrmSettings withBatchLimit(int value) {
        return withThrottle(new LrmThrottle(
                throttle.submitsAtOnce(),
                value,
                throttle.maxJobs(),
                throttle.maxJobsPerOwner(),
                throttle.maxJobsPerQueue(),
                throttle.pollInterval()));
    }

    private LrmSettings changed(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.build();
    }

    /** The settings while they are changed. */
    private static final class Draft {

        private final LrmSettings before;
        private Path perl;
        private Path sudo;
        private LrmSpool spool;
        private Set<String> deniedAccounts;
        private LrmThrottle throttle;
        private int maxRunning;
        private Duration requestTimeout;
        private Duration idleEnd;
        private Duration grace;
        private MonitorSettings monitor;
        private Map<String, String> options;

        Draft(LrmSettings before) {
            this.before = before;
            this.perl = before.perl;
            this.sudo = before.sudo;
            this.spool = before.spool;
            this.deniedAccounts = before.deniedAccounts;
            this.throttle = before.throttle;
            this.maxRunning = before.maxRunning;
            this.requestTimeout = before.requestTimeout;
            this.idleEnd = before.idleEnd;
            this.grace = before.grace;
            this.monitor = before.monitor;
            this.options = before.options;
        }

        LrmSettings build() {
            return new LrmSettings(
                    before.name,
                    before.adapter,
                    before.perlDirectory,
                    perl,
                    sudo,
                    spool,
                    deniedAccounts,
                    throttle,
                    maxRunning,
                    requestTimeout,
                    idleEnd,
                    grace,
                    monitor,
                    options);
        }
    }
}
