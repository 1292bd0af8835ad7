// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import static java.util.Objects.requireNonNull;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.lrm.WireValue.Bytes;
import org.jobgate.lrm.WireValue.Fields;

/**
 * Files through a worker process of each account, which is another one than those of the LRMs: what is read never waits for a
 * submission, and no submission waits for what is read.
 */
public final class FileWorkers implements AccountFiles {

    private final LrmSettings settings;
    private final WorkerCommand command;
    private final Clock clock;
    private final SecureRandom random;
    private final Map<String, FileStation> stations = new ConcurrentHashMap<>();

    /**
     * Runs nothing yet.
     *
     * @param ownAccount the account this process runs as, for which no sudo is needed
     */
    public FileWorkers(FileSettings settings, String ownAccount, Clock clock, SecureRandom random) {
        this.settings = settings.ofWorkers();
        this.command = new WorkerCommand(this.settings, ownAccount);
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
    }

    /** For the account that this process runs as, by the name the system gives it. */
    public static FileWorkers create(FileSettings settings, Clock clock, SecureRandom random) {
        return new FileWorkers(settings, System.getProperty("user.name", ""), clock, random);
    }

    @Override
    public FileAnswer read(String account, FilePlace place, long offset, int length) throws FilesUnavailableException {
        if (offset < 0 || length < 0 || length > MAX_LENGTH) {
            throw new IllegalArgumentException("no part of a file: " + length + " bytes at " + offset);
        }
        Fields answer =
                station(account).ask("read", Map.of("place", fields(place), "offset", offset, "length", length));
        return answer.has("refused") ? refused(answer) : part(account, answer);
    }

    @Override
    public FileAnswer remove(String account, FilePlace place) throws FilesUnavailableException {
        Fields answer = station(account).ask("remove", Map.of("place", fields(place)));
        return answer.has("refused") ? refused(answer) : new FileAnswer.Removed();
    }

    private FileStation station(String account) throws FilesUnavailableException {
        if (!WorkerCommand.isAccountName(account) || settings.deniedAccounts().contains(account)) {
            throw new FilesUnavailableException("nothing may be done as the local account '" + account + "'");
        }
        return stations.computeIfAbsent(account, name -> new FileStation(name, settings, command, clock, random));
    }

    private static Map<String, Object> fields(FilePlace place) {
        Map<String, Object> fields = new LinkedHashMap<>();
        String directory = place.directory();
        if (directory != null) {
            fields.put("directory", directory);
        }
        switch (place) {
            case FilePlace.Named named -> fields.put("named", named.path());
            case FilePlace.Below below -> fields.put("below", below.names());
        }
        return fields;
    }

    private static FileAnswer refused(Fields answer) {
        FileAnswer.Reason reason = switch (answer.text("refused", "")) {
            case "NOT_FOUND" -> FileAnswer.Reason.NOT_FOUND;
            case "NOT_PERMITTED" -> FileAnswer.Reason.NOT_PERMITTED;
            case "NOT_A_FILE" -> FileAnswer.Reason.NOT_A_FILE;
            default -> FileAnswer.Reason.FAILED;
        };
        return new FileAnswer.Refused(reason, answer.text("why", "The file cannot be used."));
    }

    private static FileAnswer part(String account, Fields answer) throws FilesUnavailableException {
        Long size = answer.number("size");
        String file = answer.text("file");
        if (size == null || size < 0 || file == null || !(answer.values().get("bytes") instanceof Bytes bytes)) {
            throw new FilesUnavailableException("the worker of account " + account + " gave no answer to a read");
        }
        return new FileAnswer.Part(size, file, bytes.bytes());
    }

    @Override
    public void close() {
        stations.values().forEach(FileStation::close);
    }
}
