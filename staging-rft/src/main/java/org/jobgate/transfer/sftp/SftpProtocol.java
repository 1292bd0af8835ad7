// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.sftp;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClient.Attributes;
import org.apache.sshd.sftp.client.SftpClient.CloseableHandle;
import org.apache.sshd.sftp.client.SftpClient.DirEntry;
import org.apache.sshd.sftp.client.SftpClient.OpenMode;
import org.apache.sshd.sftp.client.extensions.openssh.OpenSSHFsyncExtension;
import org.apache.sshd.sftp.client.extensions.openssh.OpenSSHPosixRenameExtension;
import org.apache.sshd.sftp.client.impl.SftpInputStreamAsync;
import org.apache.sshd.sftp.client.impl.SftpOutputStreamAsync;
import org.apache.sshd.sftp.common.SftpException;
import org.jobgate.transfer.file.SmallFiles;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.UrlPolicy;

/**
 * {@code sftp://[user@]host[:22]/path}: files by SSH's file transfer protocol (draft-ietf-secsh-filexfer-02, version 3, as OpenSSH
 * speaks it). The login is that of the job's account: its keys, or the password that the job has for the file, and the hosts that it knows, from
 * its own {@code ~/.ssh}.
 * {@code scp://} URLs name the same files of the same servers, and are served in the same way: so does OpenSSH's scp(1) since version 9.
 *
 * <p>A file that is written has its name when it is whole; until then it is a part beside it, which another attempt goes on with.
 */
public final class SftpProtocol implements Protocol {

    private static final int PIECE = 256 * 1024;
    private static final int BUFFER = 32 * 1024; // what every server answers at once (draft-02 section 6.4)

    private final SftpPool pool;

    /**
     * A protocol that has connected to nobody.
     *
     * @param files the accounts' own, for keys and known hosts
     * @param timeout how long connecting, logging in and one answer may take
     * @param policy where servers may be
     */
    public SftpProtocol(SmallFiles files, Duration timeout, UrlPolicy policy) {
        this.pool = new SftpPool(new SftpLogins(files, timeout, policy));
    }

    @Override
    public Set<String> schemes() {
        return Set.of("sftp", "scp");
    }

    @Override
    public boolean takesPassword() {
        return true;
    }

    @Override
    public boolean allowsUser() {
        return true;
    }

    @Override
    public Source open(URI source, long offset, String version, TransferContext context)
            throws TransferException, InterruptedException {
        SftpPlace place = SftpPlace.of(source, context);
        String what = "reading " + place.path() + " at " + place.server();
        SftpConnection connection = pool.lease(place, context);
        boolean isGiven = false;
        try {
            requireFile(connection.files().stat(place.path()), place);
            CloseableHandle handle = connection.files().open(place.path(), OpenMode.Read);
            Attributes file = connection.files().stat(handle);
            String now = version(file);
            long start = !now.isEmpty() && now.equals(version) && offset <= file.getSize() ? offset : 0;
            SftpInputStreamAsync bytes =
                    new SftpInputStreamAsync(connection.client(), BUFFER, start, file.getSize(), place.path(), handle);
            isGiven = true;
            return new Source(start, file.getSize(), now, new SftpBytes(bytes, connection, pool::giveBack, what));
        } catch (IOException e) {
            throw SftpRefusals.of(e, what);
        } finally {
            if (!isGiven) {
                connection.end();
            }
        }
    }

    private static void requireFile(Attributes file, SftpPlace place) throws TransferException {
        if (!file.isRegularFile()) {
            throw new TransferException(
                    Kind.PERMANENT,
                    place.path() + " at " + place.server() + " is no regular file",
                    "Name a regular file; a directory ends with a slash.");
        }
    }

    /** Size and time of change; empty where the server does not say both. */
    private static String version(Attributes file) {
        boolean isKnown = file.getFlags().contains(SftpClient.Attribute.Size)
                && file.getFlags().contains(SftpClient.Attribute.ModifyTime);
        return isKnown ? file.getSize() + "-" + file.getModifyTime().toMillis() : "";
    }

    @Override
    public long kept(URI destination, TransferContext context) throws TransferException, InterruptedException {
        SftpPlace part = SftpPlace.of(destination, context).unfinished(context.id());
        return with(part, context, "looking for " + part.path(), connection -> kept(connection.files(), part));
    }

    private static long kept(SftpClient files, SftpPlace part) throws IOException {
        try {
            Attributes there = files.lstat(part.path());
            return there.isRegularFile() ? there.getSize() : 0;
        } catch (SftpException e) {
            if (SftpRefusals.isMissing(e)) {
                return 0;
            }
            throw e;
        }
    }

    @Override
    public void store(Source source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        SftpPlace place = SftpPlace.of(destination, context);
        SftpPlace part = place.unfinished(context.id());
        long unused = with(place, context, "writing " + place.path(), connection -> {
            SftpClient files = connection.files();
            long end;
            try (CloseableHandle handle = openPart(files, part, source.start())) {
                end = write(source, connection, handle, part, context.progress());
            }
            source.requireWhole(end, kept(files, part));
            rename(files, part, place);
            return end;
        });
    }

    /** Directories on the way are made where the server misses one: as a rule it does not. */
    private static CloseableHandle openPart(SftpClient files, SftpPlace part, long start) throws IOException {
        if (start > 0) {
            CloseableHandle handle = files.open(part.path(), OpenMode.Write);
            files.setStat(handle, new Attributes().size(start)); // what lies behind it was not kept
            return handle;
        }
        // a new file, not what somebody else may have put there
        EnumSet<OpenMode> anew = EnumSet.of(OpenMode.Write, OpenMode.Create, OpenMode.Exclusive);
        SftpDirectories directories = new SftpDirectories(files);
        try {
            boolean unused = directories.removeFile(part);
            return files.open(part.path(), anew);
        } catch (SftpException e) {
            if (!SftpRefusals.isMissing(e)) {
                throw e;
            }
            directories.make(part.parent());
            return files.open(part.path(), anew);
        }
    }

    /** Answers where the file ends. What is marked is at the server: all was acknowledged, and is on its disk where it can say so. */
    private static long write(
            Source source, SftpConnection connection, CloseableHandle handle, SftpPlace part, Progress progress)
            throws IOException {
        OpenSSHFsyncExtension sync = connection.client().getExtension(OpenSSHFsyncExtension.class);
        byte[] piece = new byte[PIECE];
        long offset = source.start();
        boolean isOver = false;
        while (!isOver) {
            try (SftpOutputStreamAsync out =
                    new SftpOutputStreamAsync(connection.client(), 0, part.path(), handle, false)) {
                out.setOffset(offset);
                boolean isMarked = false;
                while (!isOver && !isMarked) {
                    int count = source.bytes().readNBytes(piece, 0, piece.length);
                    out.write(piece, 0, count);
                    offset += count;
                    progress.moved(count);
                    isOver = count < piece.length;
                    isMarked = progress.isMarkDue();
                }
            } // waits for the acknowledgements
            if (sync != null && sync.isSupported()) {
                sync.fsync(handle);
            }
            if (!isOver) {
                progress.mark(Long.toString(offset));
            }
        }
        return offset;
    }

    /** Over what was there before; of servers that cannot do that in one step it is removed first. */
    private static void rename(SftpClient files, SftpPlace part, SftpPlace place)
            throws IOException, TransferException {
        OpenSSHPosixRenameExtension posix = files.getExtension(OpenSSHPosixRenameExtension.class);
        try {
            if (posix != null && posix.isSupported()) {
                posix.posixRename(part.path(), place.path());
            } else {
                boolean unused = new SftpDirectories(files).removeFile(place);
                files.rename(part.path(), place.path());
            }
        } catch (SftpException e) {
            if (new SftpDirectories(files).isDirectory(place)) {
                throw new TransferException(
                        Kind.PERMANENT,
                        place.path() + " at " + place.server() + " is a directory",
                        "Name a file in it.",
                        e);
            }
            throw e;
        }
    }

    @Override
    public boolean appends() {
        return true;
    }

    @Override
    public boolean append(Source source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        SftpPlace place = SftpPlace.of(destination, context);
        return with(place, context, "appending to " + place.path(), connection -> {
            SftpClient files = connection.files();
            if (sizeAt(files, place) < source.start()) {
                return false;
            }
            long end;
            try (CloseableHandle handle = files.open(place.path(), OpenMode.Write)) {
                end = write(source, connection, handle, place, context.progress());
            }
            source.requireWhole(end, Math.min(end, sizeAt(files, place)));
            return true;
        });
    }

    /** The size of the file that the name leads to, through links; below 0 if there is no file. */
    private static long sizeAt(SftpClient files, SftpPlace place) throws IOException {
        try {
            Attributes there = files.stat(place.path());
            return there.isRegularFile() ? there.getSize() : -1;
        } catch (SftpException e) {
            if (SftpRefusals.isMissing(e)) {
                return -1;
            }
            throw e;
        }
    }

    @Override
    public long size(URI file, TransferContext context) throws TransferException, InterruptedException {
        SftpPlace place = SftpPlace.of(file, context);
        return with(place, context, "looking for " + place.path(), connection -> sizeAt(connection.files(), place));
    }

    @Override
    public void abandon(URI destination, TransferContext context) throws TransferException, InterruptedException {
        SftpPlace part = SftpPlace.of(destination, context).unfinished(context.id());
        boolean unused = with(
                part,
                context,
                "removing " + part.path(),
                connection -> new SftpDirectories(connection.files()).removeFile(part));
    }

    @Override
    public List<Entry> list(URI directory, TransferContext context) throws TransferException, InterruptedException {
        SftpPlace place = SftpPlace.of(directory, context);
        return with(place, context, "listing " + place.path(), connection -> {
            List<Entry> entries = new ArrayList<>();
            for (DirEntry each : new SftpDirectories(connection.files()).list(place)) {
                entries.add(entry(each, place));
            }
            return entries;
        });
    }

    private static Entry entry(DirEntry each, SftpPlace place) throws TransferException {
        Attributes is = each.getAttributes();
        Entry.Kind kind =
                is.isRegularFile() ? Entry.Kind.FILE : is.isDirectory() ? Entry.Kind.DIRECTORY : Entry.Kind.OTHER;
        try {
            return new Entry(each.getFilename(), kind, kind == Entry.Kind.FILE ? is.getSize() : Source.UNKNOWN);
        } catch (IllegalArgumentException e) {
            throw new TransferException(
                    Kind.PERMANENT,
                    "the SFTP server lists a name in " + place.path() + " that cannot be one",
                    "Tell the server's administrator.",
                    e);
        }
    }

    @Override
    public void makeDirectory(URI directory, TransferContext context) throws TransferException, InterruptedException {
        SftpPlace place = SftpPlace.of(directory, context);
        boolean unused = with(place, context, "making " + place.path(), connection -> {
            new SftpDirectories(connection.files()).make(place);
            return true;
        });
    }

    @Override
    public boolean delete(URI file, TransferContext context) throws TransferException, InterruptedException {
        SftpPlace place = SftpPlace.of(file, context);
        if (place.isTop()) {
            throw new TransferException(
                    Kind.PERMANENT,
                    "the root directory and the user's home are not deleted",
                    "Correct the file's name in the job.");
        }
        return with(
                place,
                context,
                "deleting " + place.path(),
                connection -> new SftpDirectories(connection.files()).delete(place, context.progress()));
    }

    private interface Work<T> {
        T with(SftpConnection connection) throws IOException, TransferException;
    }

    /** Does it with a login, which is kept if it succeeds. */
    private <T> T with(SftpPlace place, TransferContext context, String what, Work<T> work)
            throws TransferException, InterruptedException {
        SftpConnection connection = pool.lease(place, context);
        boolean isDone = false;
        try {
            T result = work.with(connection);
            isDone = true;
            return result;
        } catch (IOException e) {
            throw SftpRefusals.of(e, what + " at " + place.server());
        } finally {
            if (isDone) {
                pool.giveBack(connection);
            } else {
                connection.end();
            }
        }
    }

    /** Ends all logins. */
    @Override
    public void close() {
        pool.close();
    }
}
