// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.sftp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClient.Attributes;
import org.apache.sshd.sftp.client.SftpClient.CloseableHandle;
import org.apache.sshd.sftp.client.SftpClient.DirEntry;
import org.apache.sshd.sftp.common.SftpException;
import org.jobgate.transfer.protocol.Progress;

/** Directories at a server, made with their parents and removed with what is in them. */
final class SftpDirectories {

    private static final int MAX_DEPTH = 64;
    private static final int MAX_ENTRIES = 1_000_000;

    private final SftpClient files;

    SftpDirectories(SftpClient files) {
        this.files = files;
    }

    void make(SftpPlace directory) throws IOException {
        make(directory, 0);
    }

    private void make(SftpPlace directory, int depth) throws IOException {
        try {
            files.mkdir(directory.path());
        } catch (SftpException e) {
            if (SftpRefusals.isMissing(e) && depth < MAX_DEPTH && !directory.isTop()) {
                make(directory.parent(), depth + 1);
                files.mkdir(directory.path());
            } else if (!isDirectory(directory)) {
                throw e;
            }
        }
    }

    /** Behind links too. */
    boolean isDirectory(SftpPlace place) throws IOException {
        try {
            return files.stat(place.path()).isDirectory();
        } catch (SftpException e) {
            if (SftpRefusals.isMissing(e)) {
                return false;
            }
            throw e;
        }
    }

    /** What is in it, but for itself and its parent. */
    List<DirEntry> list(SftpPlace directory) throws IOException {
        List<DirEntry> entries = new ArrayList<>();
        try (CloseableHandle handle = files.openDir(directory.path())) {
            List<DirEntry> page = files.readDir(handle);
            while (page != null) {
                for (DirEntry one : page) {
                    if (!one.getFilename().equals(".") && !one.getFilename().equals("..")) {
                        entries.add(one);
                    }
                }
                if (entries.size() > MAX_ENTRIES) {
                    throw new IOException(directory.path() + " has more than " + MAX_ENTRIES + " entries");
                }
                page = files.readDir(handle);
            }
        }
        return entries;
    }

    /** Deletes a file or a link; answers whether there was one. */
    boolean removeFile(SftpPlace file) throws IOException {
        try {
            files.remove(file.path());
            return true;
        } catch (SftpException e) {
            if (SftpRefusals.isMissing(e)) {
                return false;
            }
            throw e;
        }
    }

    /** Deletes; a link is removed, not followed. Answers whether there was anything. */
    boolean delete(SftpPlace file, Progress progress) throws IOException {
        Attributes there;
        try {
            there = files.lstat(file.path());
        } catch (SftpException e) {
            if (SftpRefusals.isMissing(e)) {
                return false;
            }
            throw e;
        }
        delete(file, there, progress, 0);
        return true;
    }

    private void delete(SftpPlace file, Attributes there, Progress progress, int depth) throws IOException {
        progress.moved(0);
        if (!there.isDirectory()) {
            files.remove(file.path());
            return;
        }
        if (depth > MAX_DEPTH) {
            throw new IOException(file.path() + " is deeper than " + MAX_DEPTH + " directories");
        }
        for (DirEntry entry : list(file)) {
            if (entry.getFilename().indexOf('/') >= 0) {
                throw new IOException("the server lists a name with a slash in " + file.path());
            }
            delete(file.inside(entry.getFilename()), entry.getAttributes(), progress, depth + 1);
        }
        files.rmdir(file.path());
    }
}
