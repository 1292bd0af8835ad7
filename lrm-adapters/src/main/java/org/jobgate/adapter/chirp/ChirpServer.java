// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter.chirp;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.regex.Pattern;
import org.jobgate.job.ChirpAccess;

/**
 * A Chirp server to which jobs may have tickets.
 *
 * @param name by which jobs ask for it
 * @param address host and port, as jobs reach it
 * @param directories those that jobs may have, with all below them; <code>${account}</code> in one is the job's account
 * @param writable those of which, with all below them, jobs may also write
 */
public record ChirpServer(String name, String address, List<String> directories, List<String> writable) {

    private static final String ACCOUNT = "${account}";
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9\\[][A-Za-z0-9.:\\]_-]{0,255}:[0-9]{1,5}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    public ChirpServer {
        requireNonNull(name, "name is null");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name must be 1 to 64 letters, digits, '.', '_' and '-'");
        }
        if (!ADDRESS.matcher(address).matches()) {
            throw new IllegalArgumentException("address must be HOST:PORT");
        }
        directories = List.copyOf(directories);
        writable = List.copyOf(writable);
        directories.forEach(ChirpServer::check);
        writable.forEach(ChirpServer::check);
    }

    private static void check(String directory) {
        if (!ChirpAccess.isPath(of(directory, "account"))) {
            throw new IllegalArgumentException("'" + directory
                    + "' is no absolute path of ASCII letters, digits and . _ + = @ , : / - without .. in it");
        }
    }

    private static String of(String directory, String account) {
        return directory.replace(ACCOUNT, account);
    }

    /** Whether a job of the account may read there. */
    boolean lets(String account, String path) {
        return isBelow(directories, account, path) || letsWrite(account, path);
    }

    /** Whether a job of the account may write there. */
    boolean letsWrite(String account, String path) {
        return isBelow(writable, account, path);
    }

    private static boolean isBelow(List<String> roots, String account, String path) {
        return roots.stream().map(root -> of(root, account)).anyMatch(root -> {
            String slashed = root.endsWith("/") ? root : root + "/";
            return (path + "/").startsWith(slashed);
        });
    }
}
