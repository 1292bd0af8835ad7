// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.files.FilesUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker that serves the files of one account, started when it is first asked, ended when it was idle, started again when it died.
 * While it cannot be started, that is tried once in {@link WorkerSupervisor#FIRST_BACK_OFF}, however many ask.
 */
final class FileWorkerSupervisor implements Worker.Owner {

    private static final Logger log = LoggerFactory.getLogger(FileWorkerSupervisor.class);
    private static final int NONCE_BYTES = 16;

    private final String account;
    private final LrmSettings settings;
    private final WorkerCommand command;
    private final LeftWorkers left;
    private final Clock clock;
    private final SecureRandom random;
    private final ReentrantLock starting = new ReentrantLock();
    private volatile @Nullable Worker worker;
    private Instant notBefore = Instant.MIN;
    private String trouble = "";
    private boolean isClosed;

    FileWorkerSupervisor(
            String account,
            LrmSettings settings,
            WorkerCommand command,
            LeftWorkers left,
            Clock clock,
            SecureRandom random) {
        this.account = requireNonNull(account, "account is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.command = requireNonNull(command, "command is null");
        this.left = requireNonNull(left, "left is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
    }

    /** Asks for what may be done once only. Where the worker ends meanwhile, it may have been done or not. */
    Fields askOnce(String operation, Map<String, ?> fields) throws FilesUnavailableException {
        return await(connect(), operation, fields);
    }

    /** Asks for what may be done twice; once more where the worker had just ended. */
    Fields ask(String operation, Map<String, ?> fields) throws FilesUnavailableException {
        Worker current = connect();
        try {
            return await(current, operation, fields);
        } catch (FilesUnavailableException e) {
            if (current.isAlive() || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return await(connect(), operation, fields);
        }
    }

    private Worker connect() throws FilesUnavailableException {
        Worker current = worker;
        if (current != null && current.isAlive() && !starting.isLocked()) {
            return current;
        }
        starting.lock();
        try {
            current = worker;
            return current != null && current.isAlive() ? current : start();
        } finally {
            starting.unlock();
        }
    }

    private Worker start() throws FilesUnavailableException {
        Instant now = clock.instant();
        if (isClosed) {
            throw new FilesUnavailableException("the service is closing");
        }
        if (now.isBefore(notBefore)) {
            throw new FilesUnavailableException(trouble);
        }
        notBefore = now.plus(WorkerSupervisor.FIRST_BACK_OFF);
        Optional<String> tooMany = left.refusal(account);
        if (tooMany.isPresent()) {
            trouble = tooMany.get();
            throw new FilesUnavailableException(trouble);
        }
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        String nonce = HexFormat.of().formatHex(bytes);
        try {
            return greeted(Worker.start(account, command.of(account, nonce), nonce, left, this));
        } catch (IOException e) {
            trouble = "the worker of account " + account + " could not be started: " + e.getMessage();
            throw new FilesUnavailableException(trouble, e);
        } catch (FilesUnavailableException e) {
            trouble = String.valueOf(e.getMessage());
            throw e;
        }
    }

    private Worker greeted(Worker fresh) throws FilesUnavailableException {
        try {
            await(fresh, "hello_files", Map.of("idle", settings.idleEnd().toMillis() / 1000.0));
        } catch (FilesUnavailableException e) {
            fresh.giveUp("could not begin");
            throw e;
        }
        worker = fresh;
        return fresh;
    }

    private Fields await(Worker current, String operation, Map<String, ?> fields) throws FilesUnavailableException {
        try {
            return current.request(operation, fields)
                    .get(settings.requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            String why = cause == null || cause.getMessage() == null
                    ? "the worker of account " + account + " failed"
                    : cause.getMessage();
            throw new FilesUnavailableException(why, e);
        } catch (TimeoutException e) {
            String why = "did not answer within " + settings.requestTimeout().toSeconds() + " s";
            current.giveUp(why);
            throw new FilesUnavailableException("the worker of account " + account + " " + why, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FilesUnavailableException("interrupted while waiting for the worker of account " + account, e);
        }
    }

    /** One that serves files has no events to tell. */
    @Override
    public void events(Worker from, Fields frame) {
        log.warn("the worker for the files of account {} sent events", account);
    }

    @Override
    public void idle(Worker from) {
        // while one is started it is not idle; it will say so again
        if (!starting.tryLock()) {
            return;
        }
        try {
            if (worker == from && !from.hasOpenRequests()) {
                worker = null;
                from.close();
            }
        } finally {
            starting.unlock();
        }
    }

    @Override
    public void ended(Worker from, String why) {
        // the next request starts another worker; those that waited for this one have been answered
        if (worker == from) {
            log.warn("files of account {}: {}", account, why);
        }
    }

    void close() {
        starting.lock();
        try {
            isClosed = true;
            Worker current = worker;
            worker = null;
            if (current != null) {
                current.close();
            }
        } finally {
            starting.unlock();
        }
    }
}
