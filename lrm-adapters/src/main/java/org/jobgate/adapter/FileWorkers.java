// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.adapter.WireValue.Bytes;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileNames;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;
import org.jobgate.lrm.JobSideText;
import org.jspecify.annotations.Nullable;

/**
 * Files through a worker process of each account, which is another one than those of the LRMs: what is read never waits for a
 * submission, and no submission waits for what is read.
 */
public final class FileWorkers implements AccountFiles, JobDirectories {

    /** Requests for one deletion, each of many entries. */
    private static final int MAX_ROUNDS = 10_000;

    private final LrmSettings settings;
    private final WorkerCommand command;
    private final LeftWorkers left;
    private final Clock clock;
    private final SecureRandom random;
    private final Map<String, FileWorkerSupervisor> supervisors = new ConcurrentHashMap<>();

    /**
     * Runs nothing yet.
     *
     * @param ownAccount the account this process runs as, for which no sudo is needed
     * @param left of the whole gateway
     */
    public FileWorkers(FileSettings settings, String ownAccount, LeftWorkers left, Clock clock, SecureRandom random) {
        this.settings = settings.ofWorkers();
        this.command = new WorkerCommand(this.settings, ownAccount);
        this.left = requireNonNull(left, "left is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
    }

    /** For the account that this process runs as, by the name the system gives it. */
    public static FileWorkers create(FileSettings settings, LeftWorkers left, Clock clock, SecureRandom random) {
        return new FileWorkers(settings, System.getProperty("user.name", ""), left, clock, random);
    }

    @Override
    public FileAnswer read(String account, FilePlace place, long offset, int length) throws FilesUnavailableException {
        if (offset < 0 || length < 0 || length > MAX_LENGTH) {
            throw new IllegalArgumentException("no part of a file: " + length + " bytes at " + offset);
        }
        Fields answer =
                supervisor(account).ask("read", Map.of("place", fields(place), "offset", offset, "length", length));
        return answer.has("refused") ? refused(answer) : part(account, answer, length);
    }

    @Override
    public FileAnswer remove(String account, FilePlace place) throws FilesUnavailableException {
        Fields answer = supervisor(account).ask("remove", Map.of("place", fields(place)));
        return answer.has("refused") ? refused(answer) : new FileAnswer.Removed();
    }

    @Override
    public long kept(String account, FilePlace place, String part)
            throws FileRefusedException, FilesUnavailableException {
        Fields answer = change(account, "kept", Map.of("place", fields(place), "part", part));
        return answer.number("size", 0);
    }

    @Override
    public void put(String account, FilePlace place, String part, Piece piece)
            throws FileRefusedException, FilesUnavailableException {
        Fields answer = change(
                account,
                "put",
                Map.of(
                        "place", fields(place),
                        "part", part,
                        "offset", piece.offset(),
                        "bytes", piece.bytes(),
                        "sync", piece.sync() ? 1 : 0));
        requireWhole(answer, piece.offset());
    }

    @Override
    public void finish(String account, FilePlace place, String part, long size, boolean program)
            throws FileRefusedException, FilesUnavailableException {
        Fields answer = change(
                account,
                "finish",
                Map.of("place", fields(place), "part", part, "size", size, "program", program ? 1 : 0));
        requireWhole(answer, size);
    }

    @Override
    public void finishNew(String account, FilePlace place, String part, long size, boolean program)
            throws FileRefusedException, FilesUnavailableException {
        Fields answer = change(
                account,
                "finish",
                Map.of("place", fields(place), "part", part, "size", size, "program", program ? 1 : 0, "new", 1));
        requireWhole(answer, size);
    }

    @Override
    public Page browse(String account, @Nullable String directory, List<String> names, @Nullable String after)
            throws FileRefusedException, FilesUnavailableException {
        Map<String, Object> place = new LinkedHashMap<>();
        place.put("below", bytes(names));
        if (directory != null) {
            place.put("directory", FileNames.bytes(directory));
        }
        Fields answer = change(account, "browse", Map.of("place", place, "after", bytesOf(after)));
        List<Entry> entries = new ArrayList<>();
        for (WireValue item : answer.items("entries")) {
            if (item instanceof Fields entry) {
                entries.add(new Entry(
                        name(account, entry),
                        entry.text("kind", "other"),
                        entry.number("size", 0),
                        entry.number("modified", 0)));
            }
        }
        return new Page(entries, answer.number("more", 0) > 0);
    }

    /** The name of an entry of a directory, which is no path. */
    static String name(String account, Fields entry) throws FilesUnavailableException {
        byte[] bytes = entry.values().get("name") instanceof Bytes given ? given.bytes() : new byte[0];
        String name = bytes.length > FilePlace.MAX_NAME_BYTES ? "" : FileNames.text(bytes);
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0) {
            throw new FilesUnavailableException(
                    "the worker of account " + account + " listed a name that no file can have");
        }
        return name;
    }

    private static void requireWhole(Fields answer, long wanted) throws FileRefusedException {
        if (answer.has("short")) {
            throw new FileRefusedException(
                    FileAnswer.Reason.FAILED,
                    "Of the unfinished file there are " + answer.text("short", "0") + " bytes, and " + wanted
                            + " were expected: somebody else has changed it.");
        }
    }

    @Override
    public void drop(String account, FilePlace place, String part)
            throws FileRefusedException, FilesUnavailableException {
        change(account, "drop", Map.of("place", fields(place), "part", part));
    }

    @Override
    public void makeDirectory(String account, String path) throws FileRefusedException, FilesUnavailableException {
        change(account, "make_directory", Map.of("path", FileNames.bytes(path)));
    }

    @Override
    public Map<String, FileRefusedException> makeDirectories(String account, String parent, List<String> names)
            throws FileRefusedException, FilesUnavailableException {
        if (names.size() > MAX_MADE) {
            throw new IllegalArgumentException(names.size() + " directories at once; at most " + MAX_MADE);
        }
        Fields answer =
                change(account, "make_directories", Map.of("path", FileNames.bytes(parent), "names", bytes(names)));
        Map<String, FileRefusedException> refused = new LinkedHashMap<>();
        for (WireValue item : answer.items("failed")) {
            if (item instanceof Fields one) {
                refused.put(name(account, one), refusal(one));
            }
        }
        return refused;
    }

    @Override
    public boolean delete(String account, FilePlace place) throws FileRefusedException, FilesUnavailableException {
        boolean removed = false;
        Fields answer;
        int rounds = 0;
        do {
            if (++rounds > MAX_ROUNDS) {
                throw new FilesUnavailableException(
                        "the worker of account " + account + " has not come to the end of a directory to delete");
            }
            answer = change(account, "delete", Map.of("place", fields(place)));
            removed |= answer.number("removed", 0) > 0;
        } while (answer.number("more", 0) > 0);
        return removed;
    }

    @Override
    public List<Listed> list(String account, String path, @Nullable String after)
            throws FileRefusedException, FilesUnavailableException {
        Fields answer = change(account, "list", Map.of("path", FileNames.bytes(path), "after", bytesOf(after)));
        List<Listed> listed = new ArrayList<>();
        for (WireValue item : answer.items("entries")) {
            if (item instanceof Fields entry) {
                listed.add(new Listed(name(account, entry), entry.text("kind", "other"), entry.number("size", 0)));
            }
        }
        return List.copyOf(listed);
    }

    /** Has a worker do something that may be done twice. */
    Fields change(String account, String operation, Map<String, ?> fields)
            throws FileRefusedException, FilesUnavailableException {
        return accepted(supervisor(account).ask("file_" + operation, fields));
    }

    /** The same of what may not. */
    void changeOnce(String account, String operation, Map<String, ?> fields)
            throws FileRefusedException, FilesUnavailableException {
        accepted(supervisor(account).askOnce("file_" + operation, fields));
    }

    private static Fields accepted(Fields answer) throws FileRefusedException {
        if (answer.has("refused")) {
            throw refusal(answer);
        }
        return answer;
    }

    private static FileRefusedException refusal(Fields answer) {
        return new FileRefusedException(
                reason(answer),
                JobSideText.line(answer.text("why", "The file cannot be used."), JobSideText.MAX_SENTENCE));
    }

    private FileWorkerSupervisor supervisor(String account) throws FilesUnavailableException {
        if (!WorkerCommand.isAccountName(account) || settings.deniedAccounts().contains(account)) {
            throw new FilesUnavailableException("nothing may be done as the local account '" + account + "'");
        }
        return supervisors.computeIfAbsent(
                account, name -> new FileWorkerSupervisor(name, settings, command, left, clock, random));
    }

    static Map<String, Object> fields(FilePlace place) {
        Map<String, Object> fields = new LinkedHashMap<>();
        String directory = place.directory();
        if (directory != null) {
            fields.put("directory", FileNames.bytes(directory));
        }
        switch (place) {
            case FilePlace.Named named -> fields.put("named", FileNames.bytes(named.path()));
            case FilePlace.Below below -> fields.put("below", bytes(below.names()));
            case FilePlace.InTree inTree -> {
                fields.put("tree", bytes(inTree.names()));
                putRule(fields, "blocked", inTree.blocked());
                putRule(fields, "fixed", inTree.readOnly());
            }
        }
        return fields;
    }

    private static void putRule(Map<String, Object> fields, String name, List<String> paths) {
        if (!paths.isEmpty()) {
            fields.put(name, bytes(paths));
        }
    }

    private static List<byte[]> bytes(List<String> names) {
        return names.stream().map(FileNames::bytes).toList();
    }

    private static byte[] bytesOf(@Nullable String name) {
        return name == null ? new byte[0] : FileNames.bytes(name);
    }

    private static FileAnswer refused(Fields answer) {
        return new FileAnswer.Refused(
                reason(answer),
                JobSideText.line(answer.text("why", "The file cannot be used."), JobSideText.MAX_SENTENCE));
    }

    private static FileAnswer.Reason reason(Fields answer) {
        return switch (answer.text("refused", "")) {
            case "NOT_FOUND" -> FileAnswer.Reason.NOT_FOUND;
            case "NOT_PERMITTED" -> FileAnswer.Reason.NOT_PERMITTED;
            case "NOT_A_FILE" -> FileAnswer.Reason.NOT_A_FILE;
            case "NOT_A_DIRECTORY" -> FileAnswer.Reason.NOT_A_DIRECTORY;
            case "EXISTS" -> FileAnswer.Reason.EXISTS;
            case "NOT_EMPTY" -> FileAnswer.Reason.NOT_EMPTY;
            case "NO_SPACE" -> FileAnswer.Reason.NO_SPACE;
            case "QUOTA" -> FileAnswer.Reason.QUOTA;
            default -> FileAnswer.Reason.FAILED;
        };
    }

    private static FileAnswer part(String account, Fields answer, int length) throws FilesUnavailableException {
        Long size = answer.number("size");
        String file = answer.text("file");
        if (size == null || size < 0 || file == null || !(answer.values().get("bytes") instanceof Bytes bytes)) {
            throw new FilesUnavailableException("the worker of account " + account + " gave no answer to a read");
        }
        if (bytes.bytes().length > length) {
            throw new FilesUnavailableException(
                    "the worker of account " + account + " gave more than it was asked for");
        }
        return new FileAnswer.Part(size, file, answer.text("changed", ""), bytes.bytes());
    }

    @Override
    public void close() {
        supervisors.values().forEach(FileWorkerSupervisor::close);
    }
}
