// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.lrm.LrmUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks an account something in a worker process that is started for this one request, so that nothing else of the account waits for it. */
final class OneRequest {

    private static final Logger log = LoggerFactory.getLogger(OneRequest.class);

    private static final int NONCE_BYTES = 16;

    private final String what;
    private final LrmSettings settings;
    private final WorkerCommand command;
    private final LeftWorkers left;
    private final SecureRandom random;

    /** Nothing is told unasked by such a worker. */
    private final class Silent implements Worker.Owner {
        @Override
        public void events(Worker worker, Fields frame) {
            log.warn("a worker that {} sent events", what);
        }

        @Override
        public void idle(Worker worker) {
            // the worker is ended after its answer
        }

        @Override
        public void ended(Worker worker, String why) {
            // who waits for it is told
        }
    }

    /**
     * Runs nothing yet.
     *
     * @param what such a worker does, for logs: "checks a password"
     * @param settings how accounts are reached
     * @param ownAccount the account this process runs as, for which no sudo is needed
     * @param left of these workers alone: those that do not end must not keep the account's jobs from having workers
     */
    OneRequest(String what, FileSettings settings, String ownAccount, LeftWorkers left, SecureRandom random) {
        this.what = requireNonNull(what, "what is null");
        this.settings = settings.ofWorkers();
        this.command = new WorkerCommand(this.settings, ownAccount);
        this.left = requireNonNull(left, "left is null");
        this.random = requireNonNull(random, "random is null");
    }

    /**
     * Refuses accounts as which nothing may be done.
     *
     * @throws LrmUnavailableException that names the account
     */
    void check(String account) throws LrmUnavailableException {
        if (!WorkerCommand.isAccountName(account) || settings.deniedAccounts().contains(account)) {
            throw new LrmUnavailableException("nothing may be done as the local account '" + account + "'");
        }
    }

    /**
     * The account's answer.
     *
     * @param patience how long it may take
     * @throws LrmUnavailableException that says why there is none, without any of the fields
     */
    Fields ask(String account, String operation, Map<String, ?> fields, Duration patience)
            throws LrmUnavailableException {
        check(account);
        Optional<String> tooMany = left.refusal(account);
        if (tooMany.isPresent()) {
            throw new LrmUnavailableException(tooMany.get());
        }
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        String nonce = HexFormat.of().formatHex(bytes);
        Worker worker;
        try {
            worker = Worker.start(account, command.of(account, nonce), nonce, left, new Silent());
        } catch (IOException e) {
            throw new LrmUnavailableException(
                    "the worker of account " + account + " could not be started: " + e.getMessage(), e);
        }
        Fields answer = answer(worker, account, operation, fields, patience);
        worker.close();
        return answer;
    }

    private static Fields answer(
            Worker worker, String account, String operation, Map<String, ?> fields, Duration patience)
            throws LrmUnavailableException {
        try {
            return worker.request(operation, fields).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            worker.giveUp("could not do its one request, " + operation);
            Throwable cause = e.getCause();
            throw new LrmUnavailableException(
                    cause == null || cause.getMessage() == null
                            ? "the worker of account " + account + " failed"
                            : cause.getMessage(),
                    e);
        } catch (TimeoutException e) {
            String why = "did not answer within " + patience.toSeconds() + " s";
            worker.giveUp(why);
            throw new LrmUnavailableException("the worker of account " + account + " " + why, e);
        } catch (InterruptedException e) {
            worker.giveUp("is needed no more");
            Thread.currentThread().interrupt();
            throw new LrmUnavailableException("interrupted while waiting for the worker of account " + account, e);
        }
    }
}
