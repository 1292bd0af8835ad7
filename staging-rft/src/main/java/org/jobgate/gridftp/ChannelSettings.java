// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a session has told its server about data channels, so that nothing is said twice. */
final class ChannelSettings {

    private static final int PROTECTION_BUFFER = 1024 * 1024;

    private final Map<String, String> told = new LinkedHashMap<>();

    /** The commands that are still to be sent for these options, in order. */
    List<String> missing(TransferOptions options) {
        Map<String, String> wanted = new LinkedHashMap<>();
        wanted.put("type", "TYPE I");
        wanted.put("mode", options.mode().command());
        if (options.mode() == Mode.EXTENDED) {
            int n = options.streams();
            wanted.put("streams", "OPTS RETR Parallelism=" + n + "," + n + "," + n + ";");
        }
        if (options.tcpBuffer() > 0 || told.containsKey("buffer")) {
            wanted.put("buffer", "SBUF " + options.tcpBuffer());
        }
        wanted.put("room", "PBSZ " + PROTECTION_BUFFER);
        if (options.protection() == Protection.CLEAR) {
            wanted.put("protection", options.protection().command());
            wanted.put("authentication", options.authentication().command());
        } else {
            wanted.put("authentication", options.authentication().command());
            wanted.put("protection", options.protection().command());
        }
        List<String> commands = new ArrayList<>();
        wanted.forEach((key, command) -> {
            if (!command.equals(told.get(key))) {
                commands.add(command);
                told.put(key, command);
            }
        });
        return commands;
    }

    /** After a refusal nothing is certain. */
    void forget() {
        told.clear();
    }
}
