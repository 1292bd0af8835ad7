// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.job.ShortText;
import org.jobgate.lrm.LrmUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker process and the talk with it. Requests may be made from any thread; nobody blocks on the process's pipes but the threads
 * of this class. When the process ends, for whatever reason, all open requests fail and the owner is told, once.
 */
final class Worker {

    private static final Logger log = LoggerFactory.getLogger(Worker.class);

    /** Requests on their way to one worker or waiting for its answer. */
    static final int MAX_OPEN_REQUESTS = 1024;

    /** Lines of noise that are logged for one worker; more are only counted. */
    private static final int MAX_NOISE_LINES = 50;

    private static final int MAX_NOISE_CHARACTERS = 300;
    private static final int READ_BUFFER = 65_536;
    private static final byte[] CLOSE = new byte[0];
    private static final long EXIT_PATIENCE_MS = 2_000;
    private static final long WORDS_PATIENCE_MS = 500;

    /** Receives the messages that the worker sends by itself, on the worker's reading thread: must return soon. */
    interface Owner {
        void events(Worker worker, Fields frame);

        /** It has had nothing to do for its idle time. */
        void idle(Worker worker);

        void ended(Worker worker, String why);
    }

    private final String account;
    private final String nonce;
    private final Process process;
    private final Owner owner;
    private final LeftWorkers left;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<String, CompletableFuture<Fields>> open = new ConcurrentHashMap<>();
    private final BlockingQueue<byte[]> toSend = new ArrayBlockingQueue<>(MAX_OPEN_REQUESTS);
    private final AtomicInteger noiseLines = new AtomicInteger();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile String lastWords = "";
    private volatile String givenUpBecause = "";
    private volatile String endedBecause = "ended";

    private Worker(String account, String nonce, Process process, LeftWorkers left, Owner owner) {
        this.account = account;
        this.nonce = nonce;
        this.process = process;
        this.left = left;
        this.owner = owner;
    }

    /** Starts the process; it inherits nothing of our environment. */
    static Worker start(String account, List<String> command, String nonce, LeftWorkers left, Owner owner)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(Path.of("/").toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
        builder.environment().put("LANG", "C.UTF-8");
        Worker worker = new Worker(
                account,
                nonce,
                builder.start(),
                requireNonNull(left, "left is null"),
                requireNonNull(owner, "owner is null"));
        Thread words = worker.thread("words", worker::listen);
        worker.thread("read", () -> worker.read(words));
        Thread.ofVirtual().name("lrm-worker-" + account + "-write").start(worker::write);
        return worker;
    }

    private Thread thread(String what, Runnable work) {
        return Thread.ofPlatform()
                .daemon()
                .name("lrm-worker-" + account + "-" + what)
                .start(work);
    }

    boolean isAlive() {
        return !isOver.get();
    }

    boolean hasOpenRequests() {
        return !open.isEmpty();
    }

    /** Sends a request; the future fails with an {@link LrmUnavailableException} that says why there is no answer. */
    CompletableFuture<Fields> request(String operation, Map<String, ?> fields) {
        String id = Long.toString(lastId.incrementAndGet());
        Map<String, Object> request = new LinkedHashMap<>(fields);
        request.put("op", operation);
        request.put("id", id);
        CompletableFuture<Fields> answer = new CompletableFuture<>();
        open.put(id, answer);
        if (!send(request)) {
            open.remove(id);
            answer.completeExceptionally(unavailable("has " + MAX_OPEN_REQUESTS + " requests waiting already"));
        } else if (isOver.get() && open.remove(id) != null) {
            answer.completeExceptionally(unavailable(endedBecause));
        }
        return answer;
    }

    /** Lets the worker send more events. */
    void acknowledge(String sequence) {
        if (!send(Map.of("op", "ack", "sequence", sequence))) {
            giveUp("does not read what it is sent");
        }
    }

    private boolean send(Map<String, ?> message) {
        return toSend.offer(FrameReader.frame(nonce, Wire.encode(message)));
    }

    /** Lets it end by closing its input. */
    void close() {
        if (toSend.offer(CLOSE)) {
            left.letGo(account, process.toHandle(), nonce);
        } else {
            giveUp("does not read what it is sent");
        }
    }

    /** Ends it by force, as far as we may: one that runs as another account ends when it sees its pipes closed, if it can. */
    void giveUp(String why) {
        givenUpBecause = why;
        end();
        over(why);
    }

    private void end() {
        left.end(account, process.toHandle(), nonce);
    }

    private LrmUnavailableException unavailable(String why) {
        return new LrmUnavailableException("the worker of account " + account + " " + why);
    }

    private void write() {
        try (OutputStream out = process.getOutputStream()) {
            while (isAlive()) {
                byte[] frame = toSend.take();
                if (frame.length == 0) {
                    return;
                }
                out.write(frame);
                if (toSend.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            // its end is told by the reading thread, with the better reason
            log.debug("writing to the worker of account {} failed: {}", account, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(Thread words) {
        String why;
        try (InputStream in = new BufferedInputStream(process.getInputStream(), READ_BUFFER)) {
            FrameReader frames = new FrameReader(in, nonce, this::noise);
            byte[] payload;
            while ((payload = frames.next()) != null) {
                handle(payload);
            }
            why = howItEnded(words);
        } catch (IOException | UncheckedIOException e) {
            why = isOver.get() ? givenUpBecause : "broke the protocol: " + e.getMessage();
            end();
        }
        over(why);
    }

    private void handle(byte[] payload) throws IOException {
        if (!(Wire.decode(payload) instanceof Fields frame)) {
            throw new WireException("a frame that holds no fields");
        }
        String id = frame.text("id");
        if (id != null) {
            answer(id, frame);
        } else if (frame.has("events")) {
            owner.events(this, frame);
        } else if (frame.has("idle")) {
            owner.idle(this);
        } else if (frame.has("log")) {
            log.warn("worker of account {}: {}", account, clean(frame.text("log", "")));
        }
    }

    private void answer(String id, Fields frame) {
        CompletableFuture<Fields> answer = open.remove(id);
        if (answer == null) {
            log.debug("the worker of account {} answered request {} that nobody waits for", account, id);
        } else if (frame.has("error")) {
            answer.completeExceptionally(unavailable("could not: " + clean(frame.text("error", ""))));
        } else {
            answer.complete(frame);
        }
    }

    private String howItEnded(Thread words) {
        try {
            boolean hasEnded = process.waitFor(EXIT_PATIENCE_MS, TimeUnit.MILLISECONDS);
            words.join(Duration.ofMillis(WORDS_PATIENCE_MS));
            String said = lastWords.isEmpty() ? "" : "; it said: " + lastWords;
            if (!hasEnded) {
                end();
                return "closed its output" + said;
            }
            return "ended with exit code " + process.exitValue() + said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "ended";
        }
    }

    private void over(String why) {
        synchronized (isOver) {
            if (isOver.get()) {
                return;
            }
            endedBecause = why;
            isOver.set(true); // after the reason: who sees that it is over sees why
        }
        toSend.offer(CLOSE);
        LrmUnavailableException cause = unavailable(why);
        open.keySet().forEach(id -> {
            CompletableFuture<Fields> answer = open.remove(id);
            if (answer != null) {
                answer.completeExceptionally(cause);
            }
        });
        owner.ended(this, cause.getMessage() == null ? why : cause.getMessage());
    }

    /** What it, or sudo, says on standard error: the last of it is why it could not start. */
    private void listen() {
        try (InputStream in = process.getErrorStream()) {
            byte[] buffer = new byte[4096];
            int length;
            while ((length = in.read(buffer)) >= 0) {
                lastWords = clean(new String(buffer, 0, length, StandardCharsets.UTF_8));
                noise(lastWords);
            }
        } catch (IOException e) {
            log.debug("reading the standard error of the worker of account {} failed: {}", account, e.getMessage());
        }
    }

    private void noise(String line) {
        int number = noiseLines.incrementAndGet();
        if (number <= MAX_NOISE_LINES) {
            log.warn("worker of account {} said beside the protocol: {}", account, clean(line));
        } else if (number == MAX_NOISE_LINES + 1) {
            log.warn("worker of account {} says more beside the protocol, which is not logged", account);
        }
    }

    /** Short and without control characters: it goes to logs and sentences. */
    private static String clean(String text) {
        String oneLine = text.strip().replaceAll("\\p{Cntrl}+", " ");
        return ShortText.of(oneLine, MAX_NOISE_CHARACTERS);
    }
}
