// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.util.List;
import org.jobgate.job.ChirpAccess;

/** A Chirp server to which jobs may have tickets. */
@Section(
        value =
                "Chirp servers to which jobs get tickets that ask for them. There are none by default, and then a job that asks is refused. The server must know"
                        + " the job's account by unix authentication: it runs on the gateway's machine, or shares its /tmp.",
        optional = true)
public record ChirpServerConfig(
        @Setting(
                description =
                        "How jobs call it: 1 to 64 letters, digits, `.`, `_` and `-`, the first a letter or digit. Jobs that name none get the first server.",
                tier = Tier.ESSENTIAL)
        String name,

        @Setting(description = "`HOST:PORT`, as the jobs' nodes reach it too.", tier = Tier.ESSENTIAL)
        String address,

        @Setting(
                description =
                        "Directories of the server that jobs may have, with all below them: absolute paths as the server names them. `$${account}` in one is the"
                                + " job's account. What the account may do there is still the server's to say.",
                byDefault = "")
        List<String> directories,

        @Setting(description = "The same for directories in which jobs may also write.", byDefault = "")
        List<String> writable) {

    public ChirpServerConfig {
        directories = List.copyOf(directories);
        writable = List.copyOf(writable);
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
            throw new IllegalArgumentException("name must be 1 to 64 letters, digits, '.', '_' and '-'");
        }
        if (!address.matches("[A-Za-z0-9\\[][A-Za-z0-9.:\\]_-]{0,255}:[0-9]{1,5}")) {
            throw new IllegalArgumentException("address must be HOST:PORT");
        }
        if (directories.isEmpty() && writable.isEmpty()) {
            throw new IllegalArgumentException(
                    "directories and writable are both empty, so that no job could have anything");
        }
        directories.forEach(ChirpServerConfig::check);
        writable.forEach(ChirpServerConfig::check);
    }

    private static void check(String directory) {
        if (!ChirpAccess.isPath(directory.replace("${account}", "account"))) {
            throw new IllegalArgumentException("'" + directory
                    + "' is no absolute path of ASCII letters, digits and . _ + = @ , : / - without .. in it");
        }
    }
}
