// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jobgate.cli.cream.CreamException;
import org.jobgate.cli.cream.LocalJdl;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.CredentialException;

/**
 * The form of the queue for scripts: a directory in which a file {@code NAME.jdl} is a job, and a file {@code NAME.cancel} has the ids of jobs
 * that are to be cancelled. A script writes under another name and renames.
 *
 * <p>A job gets its id by the name under which it is moved aside, before it is put into the queue: wherever this process is killed, the file is
 * found again under that id, and is in the queue once.
 */
final class Spool {

    private static final int AT_ONCE = 500;
    private static final long BYTES_MAX = 1 << 20;
    private static final char BETWEEN = '~';

    /** So much of a file's name is kept: with an id before it and a word behind it, it must be a name still. */
    private static final int NAME_MAX = 200;

    private final Path directory;
    private final JobQueue queue;
    private final Cancellations cancellations;
    private final Clock clock;
    private final Consumer<String> log;

    /** @param directory of the queue */
    Spool(Path directory, JobQueue queue, Cancellations cancellations, Clock clock, Consumer<String> log) {
        this.directory = requireNonNull(directory, "directory is null");
        this.queue = requireNonNull(queue, "queue is null");
        this.cancellations = requireNonNull(cancellations, "cancellations is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.log = requireNonNull(log, "log is null");
    }

    /** Takes what lies there, so much at once as is good; answers how many files those were. */
    int take() {
        try {
            List<Path> files = files(QueueFile.spool(directory), "*.jdl");
            for (Path file : files) {
                Path taken =
                        QueueFile.taken(directory).resolve(UUID.randomUUID().toString() + BETWEEN + name(file));
                Files.move(file, taken, StandardCopyOption.ATOMIC_MOVE);
            }
            int count = queue(files(QueueFile.taken(directory), "*.jdl"));
            for (Path file : files(QueueFile.spool(directory), "*.cancel")) {
                cancel(file);
                count++;
            }
            return count;
        } catch (IOException e) {
            log.accept("The spool in " + directory + " cannot be read: " + Sentence.reason(e) + ".");
            return 0;
        }
    }

    /** The name of a file, as far as it can be part of another name in every locale. */
    private static String name(Path file) {
        String name = String.valueOf(file.getFileName()).replaceAll("[^\\x21-\\x7e]", "_");
        return name.substring(Math.max(name.length() - NAME_MAX, 0));
    }

    private static List<Path> files(Path directory, String pattern) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, pattern)) {
            for (Path entry : entries) {
                if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
                    files.add(entry);
                }
                if (files.size() == AT_ONCE) {
                    break;
                }
            }
        }
        return files;
    }

    private int queue(List<Path> taken) throws IOException {
        List<JobRequest> requests = new ArrayList<>();
        List<Path> good = new ArrayList<>();
        for (Path file : taken) {
            String name = String.valueOf(file.getFileName());
            String id = name.substring(0, Math.max(name.indexOf(BETWEEN), 0));
            try {
                requests.add(Intake.request(id, LocalJdl.read(file, Map.of()), List.of(), null, null));
                good.add(file);
            } catch (CreamException | CredentialException | IllegalArgumentException e) {
                refuse(file, name, String.valueOf(e.getMessage()));
            }
        }
        if (!requests.isEmpty()) {
            Optional<String> refusal = queue.add(requests, clock.millis());
            if (refusal.isPresent()) {
                log.accept(refusal.get() + " The files wait.");
                return 0;
            }
        }
        for (Path file : good) {
            Files.delete(file);
        }
        return taken.size();
    }

    private void refuse(Path file, String name, String reason) throws IOException {
        Path refused = QueueFile.refused(directory).resolve(name);
        Files.writeString(QueueFile.refused(directory).resolve(name + ".reason"), reason + "\n");
        Files.move(file, refused, StandardCopyOption.ATOMIC_MOVE);
        log.accept(name + " was not taken: " + reason);
    }

    private void cancel(Path file) throws IOException {
        List<String> ids;
        try {
            if (Files.size(file) > BYTES_MAX) {
                refuse(file, name(file), "The file is larger than 1 MiB.");
                return;
            }
            ids = Files.readString(file)
                    .lines()
                    .map(String::strip)
                    .filter(id -> !id.isEmpty())
                    .toList();
        } catch (IOException e) {
            // it would keep all others waiting
            refuse(file, name(file), "The file cannot be read as UTF-8 text: " + Sentence.reason(e) + ".");
            return;
        }
        for (String unknown : cancellations.cancel(ids, clock.millis())) {
            log.accept(file.getFileName() + ": there is no job " + unknown + " in the queue.");
        }
        Files.delete(file);
    }
}
