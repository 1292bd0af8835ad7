// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.file;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileNames;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.WritableFiles;
import org.jobgate.files.WritableFiles.Listed;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/**
 * {@code file:///path}: files of this machine, only ever with the rights of the job's account. A file that is written has its name
 * when it is whole and on disk; until then it is a part beside it, which another attempt goes on with.
 */
public final class FileProtocol implements Protocol {

    private static final int PIECE = 512 * 1024;

    private final AccountFiles reading;
    private final WritableFiles writing;

    public FileProtocol(AccountFiles reading, WritableFiles writing) {
        this.reading = requireNonNull(reading, "reading is null");
        this.writing = requireNonNull(writing, "writing is null");
    }

    @Override
    public Set<String> schemes() {
        return Set.of("file");
    }

    private static String path(URI url) {
        String path = FileNames.decoded(url.getRawPath());
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static FilePlace place(URI url) {
        return new FilePlace.Named(null, path(url));
    }

    /** There is no server whose name could be another. */
    @Override
    public Optional<String> refusal(Map<String, String> options, End end) {
        return Optional.empty();
    }

    @Override
    public Source open(URI source, long offset, String version, TransferContext context) throws TransferException {
        FilePlace place = place(source);
        FileAnswer.Part part = AccountInput.read(reading, context.account(), place, offset);
        boolean isSame = offset == 0 || version(part).equals(version);
        FileAnswer.Part first = isSame ? part : AccountInput.read(reading, context.account(), place, 0);
        long start = isSame ? offset : 0;
        InputStream bytes = new AccountInput(reading, context.account(), place, first, start);
        return new Source(start, first.size(), version(first), bytes);
    }

    @Override
    public Optional<Source> follow(URI source, long offset, TransferContext context) throws TransferException {
        FilePlace place = place(source);
        FileAnswer.Part part = AccountInput.readIfThere(reading, context.account(), place, offset)
                .orElse(null);
        if (part == null) {
            return Optional.empty();
        }
        InputStream bytes = new AccountInput(reading, context.account(), place, part, offset);
        return Optional.of(new Source(Math.min(offset, part.size()), part.size(), part.file(), bytes));
    }

    private static String version(FileAnswer.Part part) {
        return part.file() + "-" + part.changed() + "-" + part.size();
    }

    @Override
    public long kept(URI destination, TransferContext context) throws TransferException {
        return ask(() -> writing.kept(context.account(), place(destination), context.id()));
    }

    @Override
    public void store(Source source, URI destination, TransferContext context) throws TransferException {
        long offset = source.start();
        try {
            byte[] piece = piece(source.bytes(), context.progress());
            while (piece.length > 0) {
                boolean isMarked = context.progress().isMarkDue();
                put(destination, context, new WritableFiles.Piece(offset, piece, isMarked));
                offset += piece.length;
                context.progress().moved(piece.length);
                if (isMarked) {
                    context.progress().mark(Long.toString(offset));
                }
                piece = piece(source.bytes(), context.progress());
            }
        } catch (IOException e) {
            throw TransferException.of(e, "reading the source");
        }
        if (source.size() != Source.UNKNOWN && source.size() != offset) {
            throw new TransferException(
                    Kind.TRANSIENT,
                    "of " + source.size() + " bytes only " + offset + " came",
                    "Try again later; let nothing change the source until it is fetched.");
        }
        finish(destination, context, offset);
    }

    /** A whole one; less at the end, and where a marker is due: what comes slowly is not lost when its transfer is interrupted. */
    private static byte[] piece(InputStream source, Progress progress) throws IOException {
        byte[] piece = new byte[PIECE];
        int filled = 0;
        int count = source.read(piece, 0, PIECE);
        while (count > 0) {
            filled += count;
            count = filled == PIECE || progress.isMarkDue() ? 0 : source.read(piece, filled, PIECE - filled);
        }
        return filled == PIECE ? piece : Arrays.copyOf(piece, filled);
    }

    private void put(URI destination, TransferContext context, WritableFiles.Piece piece) throws TransferException {
        inDirectory(destination, context, () -> {
            writing.put(context.account(), place(destination), context.id(), piece);
            return true;
        });
    }

    private void finish(URI destination, TransferContext context, long size) throws TransferException {
        inDirectory(destination, context, () -> {
            writing.finish(context.account(), place(destination), context.id(), size, context.isProgram());
            return true;
        });
    }

    /** Does it; where the directory is missing, makes it and does it then. */
    private void inDirectory(URI destination, TransferContext context, Work<Boolean> work) throws TransferException {
        ask(() -> {
            try {
                return work.run();
            } catch (FileRefusedException e) {
                String path = path(destination);
                int slash = path.lastIndexOf('/');
                if (e.reason() != FileAnswer.Reason.NOT_FOUND || slash <= 0) {
                    throw e;
                }
                writing.makeDirectory(context.account(), path.substring(0, slash));
                return work.run();
            }
        });
    }

    /** A part beside it becomes the file when it is whole. */
    @Override
    public boolean replacesWhole() {
        return true;
    }

    @Override
    public long existing(URI file, TransferContext context) throws TransferException {
        return AccountInput.readIfThere(reading, context.account(), place(file), 0)
                .map(FileAnswer.Part::size)
                .orElse(-1L);
    }

    @Override
    public void abandon(URI destination, TransferContext context) throws TransferException {
        ask(() -> {
            writing.drop(context.account(), place(destination), context.id());
            return true;
        });
    }

    @Override
    public List<Entry> list(URI directory, TransferContext context) throws TransferException {
        List<Entry> entries = new ArrayList<>();
        List<Listed> page = listed(directory, context, null);
        while (!page.isEmpty()) {
            for (Listed one : page) {
                entries.add(new Entry(one.name(), Entry.Kind.valueOf(one.kind().toUpperCase(Locale.ROOT)), one.size()));
            }
            page = listed(directory, context, page.getLast().name());
        }
        return entries;
    }

    private List<Listed> listed(URI directory, TransferContext context, @org.jspecify.annotations.Nullable String after)
            throws TransferException {
        return ask(() -> writing.list(context.account(), path(directory), after));
    }

    @Override
    public void makeDirectory(URI directory, TransferContext context) throws TransferException {
        ask(() -> {
            writing.makeDirectory(context.account(), path(directory));
            return true;
        });
    }

    @Override
    public boolean delete(URI file, TransferContext context) throws TransferException {
        if (path(file).equals("/")) {
            throw new TransferException(
                    Kind.PERMANENT, "the root directory is not deleted", "Correct the file's name in the job.");
        }
        return ask(() -> writing.delete(context.account(), place(file)));
    }

    /** Something that the account is asked for. */
    private interface Work<T> {
        T run() throws FileRefusedException, FilesUnavailableException;
    }

    private static <T> T ask(Work<T> work) throws TransferException {
        try {
            return work.run();
        } catch (FileRefusedException e) {
            throw Refusals.of(e);
        } catch (FilesUnavailableException e) {
            throw Refusals.of(e);
        }
    }

    /** The owner of the accounts closes them. */
    @Override
    public void close() {}
}
