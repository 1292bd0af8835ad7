// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Directories of a Chirp server that a job is to reach: the gateway makes a ticket for them, as the job's account, and withdraws it at the
 * job's end.
 *
 * @param server the name that the site has given to the server; absent for the first one of the site
 * @param read directories that the job may read and list: absolute paths as the server names them
 * @param write directories in which the job may read, list, write and delete
 */
public record ChirpAccess(@Nullable String server, List<String> read, List<String> write) {

    /** The most directories of one job. */
    public static final int MAX_DIRECTORIES = 32;

    private static final String READS = "rl";
    private static final String WRITES = "rwld";

    /** What Chirp's own tools carry unharmed as a word of a command. */
    private static final Pattern PATH = Pattern.compile("/[A-Za-z0-9._+=@,:/-]{0,1023}");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    public ChirpAccess {
        read = List.copyOf(read);
        write = List.copyOf(write);
        if (server != null && !NAME.matcher(server).matches()) {
            throw new IllegalArgumentException("chirp server is no name of a server: " + ShortText.of(server, 64));
        }
        int all = read.size() + write.size();
        if (all < 1 || all > MAX_DIRECTORIES) {
            throw new IllegalArgumentException(
                    "chirp names " + all + " directories; from 1 to " + MAX_DIRECTORIES + " are possible");
        }
        read.forEach(ChirpAccess::check);
        write.forEach(ChirpAccess::check);
    }

    private static void check(String path) {
        if (!isPath(path)) {
            throw new IllegalArgumentException("chirp " + ShortText.of(path, 64)
                    + " is no absolute path of ASCII letters, digits and . _ + = @ , : / - without .. in it");
        }
    }

    /** Whether it is an absolute path that Chirp's tools carry, and that does not lead out of where it begins. */
    public static boolean isPath(String path) {
        return PATH.matcher(path).matches() && !List.of(path.split("/", -1)).contains("..");
    }

    /** The rights that the ticket has, by the directory, in the letters of Chirp. */
    public Map<String, String> rights() {
        Map<String, String> rights = new LinkedHashMap<>();
        read.forEach(path -> rights.put(path, READS));
        write.forEach(path -> rights.put(path, WRITES));
        return rights;
    }
}
