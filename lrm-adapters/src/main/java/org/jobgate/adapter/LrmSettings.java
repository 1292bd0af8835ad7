// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
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
        return new LrmSettings(
                name,
                adapter,
                perlDirectory,
                value,
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

    public LrmSettings withSudo(Path value) {
        return new LrmSettings(
                name,
                adapter,
                perlDirectory,
                perl,
                value,
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

    public LrmSettings withSpool(String value) {
        return withSpool(LrmSpool.of(value));
    }

    public LrmSettings withSpool(LrmSpool value) {
        return new LrmSettings(
                name,
                adapter,
                perlDirectory,
                perl,
                sudo,
                value,
                deniedAccounts,
                throttle,
                maxRunning,
                requestTimeout,
                idleEnd,
                grace,
                monitor,
                options);
    }

    public LrmSettings withDeniedAccounts(Set<String> value) {
        return new LrmSettings(
                name,
                adapter,
                perlDirectory,
                perl,
                sudo,
                spool,
                value,
                throttle,
                maxRunning,
                requestTimeout,
                idleEnd,
                grace,
                monitor,
                options);
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

    public LrmSettings withThrottle(LrmThrottle value) {
        return new LrmSettings(
                name,
                adapter,
                perlDirectory,
                perl,
                sudo,
                spool,
                deniedAccounts,
                value,
                maxRunning,
                requestTimeout,
                idleEnd,
                grace,
                monitor,
                options);
    }

    public LrmSettings withMonitor(MonitorSettings value) {
        return new LrmSettings(
                name,
                adapter,
                perlDirectory,
                perl,
                sudo,
                spool,
                deniedAccounts,
                throttle,
                maxRunning,
                requestTimeout,
                idleEnd,
                grace,
                value,
                options);
    }

    public LrmSettings withMaxRunning(int value) {
        return new LrmSettings(
                name,
                adapter,
                perlDirectory,
                perl,
                sudo,
                spool,
                deniedAccounts,
                throttle,
                value,
                requestTimeout,
                idleEnd,
                grace,
                monitor,
                options);
    }

    public LrmSettings withRequestTimeout(Duration value) {
        return new LrmSettings(
                name,
                adapter,
                perlDirectory,
                perl,
                sudo,
                spool,
                deniedAccounts,
                throttle,
                maxRunning,
                value,
                idleEnd,
                grace,
                monitor,
                options);
    }

    public LrmSettings withIdleEnd(Duration value) {
        return new LrmSettings(
                name,
                adapter,
                perlDirectory,
                perl,
                sudo,
                spool,
                deniedAccounts,
                throttle,
                maxRunning,
                requestTimeout,
                value,
                grace,
                monitor,
                options);
    }

    public LrmSettings withGrace(Duration value) {
        return new LrmSettings(
                name,
                adapter,
                perlDirectory,
                perl,
                sudo,
                spool,
                deniedAccounts,
                throttle,
                maxRunning,
                requestTimeout,
                idleEnd,
                value,
                monitor,
                options);
    }

    public LrmSettings withOptions(Map<String, String> value) {
        return new LrmSettings(
                name,
                adapter,
                perlDirectory,
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
                value);
    }
}
