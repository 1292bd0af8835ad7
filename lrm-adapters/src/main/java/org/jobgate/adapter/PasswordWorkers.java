// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.lrm.JobSideText;
import org.jobgate.lrm.LrmUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passwords of local accounts, checked by PAM in a worker of the account itself: PAM tells a process without rights of its own account only.
 * Each check has a worker process of its own, which ends after it, so that neither the jobs nor the files of an account wait for somebody who
 * guesses its password. The password goes to the worker in a frame, and is in no command line, environment, log or answer.
 */
public final class PasswordWorkers {

    private static final Logger log = LoggerFactory.getLogger(PasswordWorkers.class);

    /** Checks at a time, each of which is a process. */
    static final int AT_ONCE = 4;

    /** Checks of one account at a time: its owner can stop its processes, and PAM may hang for it, and others must not wait for that. */
    static final int OF_ONE = 2;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String service;
    private final OneRequest requests;
    private final Duration patience;
    private final Semaphore places = new Semaphore(AT_ONCE, true);
    /** The places of each account that was asked for. The map stays small, as the site's list of passwords names all of them. */
    private final Map<String, Semaphore> placesOfOne = new ConcurrentHashMap<>();

    /**
     * Runs nothing yet.
     *
     * @param service the name of PAM's service
     * @param settings how accounts are reached
     * @param ownAccount the account this process runs as, for which no sudo is needed
     * @param left of these workers alone: a client that sends wrong passwords of an account while PAM hangs must not keep its jobs from having
     *     workers
     * @param patience how long one check may wait for its turn, and how long for its answer
     */
    PasswordWorkers(
            String service,
            FileSettings settings,
            String ownAccount,
            LeftWorkers left,
            SecureRandom random,
            Duration patience) {
        this.service = requireNonNull(service, "service is null");
        this.requests = new OneRequest("checks a password", settings, ownAccount, left, random);
        this.patience = requireNonNull(patience, "patience is null");
    }

    /** For the account that this process runs as, by the name the system gives it. */
    public static PasswordWorkers create(String service, FileSettings settings, SecureRandom random) {
        return new PasswordWorkers(
                service, settings, System.getProperty("user.name", ""), new LeftWorkers(), random, PATIENCE);
    }

    /**
     * Whether this is the password of the account, and PAM lets the account in.
     *
     * @throws LrmUnavailableException that says why it cannot be found out, without the password
     */
    public boolean fits(String account, String password) throws LrmUnavailableException {
        requests.check(account);
        long end = System.nanoTime() + patience.toNanos();
        Semaphore own = placesOfOne.computeIfAbsent(account, any -> new Semaphore(OF_ONE, true));
        acquire(own, end, OF_ONE + " passwords of the account " + account);
        try {
            acquire(places, end, AT_ONCE + " passwords");
            try {
                return asked(account, password);
            } finally {
                places.release();
            }
        } finally {
            own.release();
        }
    }

    private void acquire(Semaphore some, long end, String taken) throws LrmUnavailableException {
        try {
            if (!some.tryAcquire(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                throw new LrmUnavailableException(
                        taken + " are being checked, and none was done within " + patience.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LrmUnavailableException("interrupted while waiting for a turn", e);
        }
    }

    private boolean asked(String account, String password) throws LrmUnavailableException {
        Fields answer = requests.ask(
                account,
                "password",
                Map.of("service", service, "password", password.getBytes(StandardCharsets.UTF_8)),
                patience);
        boolean fits = answer.text("fits", "").equals("1");
        if (!fits) {
            log.info(
                    "PAM ({}) does not take a password for the account {}: {}",
                    service,
                    account,
                    JobSideText.line(answer.text("why", "it says no reason"), JobSideText.MAX_SENTENCE));
        }
        return fits;
    }
}
