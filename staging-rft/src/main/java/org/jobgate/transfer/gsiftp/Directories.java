// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import java.io.IOException;
import java.util.List;
import org.jobgate.gridftp.DataAuthentication;
import org.jobgate.gridftp.DirectoryEntry;
import org.jobgate.gridftp.Fault;
import org.jobgate.gridftp.GridFtpException;
import org.jobgate.gridftp.GridFtpSession;
import org.jobgate.gridftp.PermanentGridFtpException;

/** Directories at a server, made with their parents and removed with what is in them. */
final class Directories {

    private static final int MAX_DEPTH = 64;

    private final GridFtpSession session;
    private final DataAuthentication authentication;

    Directories(GridFtpSession session, DataAuthentication authentication) {
        this.session = session;
        this.authentication = authentication;
    }

    void make(Place directory) throws GridFtpException {
        make(directory, 0);
    }

    private void make(Place directory, int depth) throws GridFtpException {
        try {
            session.makeDirectory(directory.path());
        } catch (GridFtpException e) {
            boolean isRefused = e instanceof PermanentGridFtpException || e.fault() == Fault.FAILED;
            if (!isRefused || !session.isUsable()) {
                throw e;
            }
            if (e.fault() == Fault.NOT_FOUND
                    && depth < MAX_DEPTH
                    && !directory.path().equals("/")) {
                make(directory.parent(), depth + 1);
                session.makeDirectory(directory.path());
            } else if (!isThere(directory)) {
                throw e;
            }
        }
    }

    private boolean isThere(Place directory) throws GridFtpException {
        return session.stat(directory.path())
                .filter(entry -> entry.type() != DirectoryEntry.Type.FILE)
                .isPresent();
    }

    List<DirectoryEntry> list(Place directory) throws IOException {
        return session.list(directory.path(), authentication);
    }

    /** Deletes; a link is removed, not followed. Answers whether there was anything. */
    boolean delete(Place file) throws IOException {
        DirectoryEntry entry = session.stat(file.path()).orElse(null);
        if (entry == null) {
            return false;
        }
        if (isDirectory(entry)) {
            empty(file, 0);
            session.removeDirectory(file.path());
        } else {
            session.deleteFile(file.path());
        }
        return true;
    }

    private static boolean isDirectory(DirectoryEntry entry) {
        boolean isLink = entry.facts().containsKey("unix.slink");
        return !isLink && (entry.type() == DirectoryEntry.Type.DIRECTORY || entry.type() == DirectoryEntry.Type.SELF);
    }

    private void empty(Place directory, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new IOException(directory.path() + " is deeper than " + MAX_DEPTH + " directories");
        }
        for (DirectoryEntry entry : list(directory)) {
            Place inside = directory.inside(entry.name());
            if (isDirectory(entry)) {
                empty(inside, depth + 1);
                session.removeDirectory(inside.path());
            } else {
                session.deleteFile(inside.path());
            }
        }
    }
}
