// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * Time-outs and limits of a client.
 *
 * @param connectTimeout for a TCP connection, control or data; default 20 s
 * @param replyTimeout for the whole reply to a command that is not a transfer, and for the login as a whole; default 60 s
 * @param dataTimeout how long no byte may move in a transfer; default 120 s
 * @param quietTimeout how long a third-party transfer may last whose servers tell no performance markers; default 1 h
 * @param checksumTimeout how long a server may compute a checksum without sending anything; default 30 min
 * @param maxReplyBytes of one reply, all its lines; default 1 MiB
 * @param maxPipelined commands sent before the first of their replies is read; default 32
 * @param maxListing bytes of a directory listing; default 16 MiB
 * @param maxParallel data connections of one transfer; default 32
 * @param dataPorts where servers may connect to that send files here in extended block mode; default any
 * @param connectRule which addresses may be connected to; default every one
 */
public record GridFtpSettings(
        Duration connectTimeout,
        Duration replyTimeout,
        Duration dataTimeout,
        Duration quietTimeout,
        Duration checksumTimeout,
        int maxReplyBytes,
        int maxPipelined,
        int maxListing,
        int maxParallel,
        PortRange dataPorts,
        ConnectRule connectRule) {

    /** The defaults. */
    public static final GridFtpSettings DEFAULTS = new GridFtpSettings(
            Duration.ofSeconds(20),
            Duration.ofSeconds(60),
            Duration.ofSeconds(120),
            Duration.ofHours(1),
            Duration.ofMinutes(30),
            1024 * 1024,
            32,
            16 * 1024 * 1024,
            32,
            PortRange.ANY,
            ConnectRule.ANY);

    /** Checks that every value is positive. */
    public GridFtpSettings {
        positive(connectTimeout, "connectTimeout");
        positive(replyTimeout, "replyTimeout");
        positive(dataTimeout, "dataTimeout");
        positive(quietTimeout, "quietTimeout");
        positive(checksumTimeout, "checksumTimeout");
        positive(maxReplyBytes, "maxReplyBytes");
        positive(maxPipelined, "maxPipelined");
        positive(maxListing, "maxListing");
        positive(maxParallel, "maxParallel");
        requireNonNull(dataPorts, "dataPorts is null");
        requireNonNull(connectRule, "connectRule is null");
    }

    private static void positive(Duration value, String name) {
        if (requireNonNull(value, name).compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(name + " is " + value + "; at least one millisecond");
        }
    }

    private static void positive(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + "; at least 1");
        }
    }

    /** The same with other time-outs for replies and for data. */
    public GridFtpSettings withTimeouts(Duration reply, Duration data) {
        return new GridFtpSettings(
                connectTimeout,
                reply,
                data,
                quietTimeout,
                checksumTimeout,
                maxReplyBytes,
                maxPipelined,
                maxListing,
                maxParallel,
                dataPorts,
                connectRule);
    }

    /** The same with other ports for servers that connect to this machine. */
    public GridFtpSettings withDataPorts(PortRange ports) {
        return new GridFtpSettings(
                connectTimeout,
                replyTimeout,
                dataTimeout,
                quietTimeout,
                checksumTimeout,
                maxReplyBytes,
                maxPipelined,
                maxListing,
                maxParallel,
                ports,
                connectRule);
    }

    /** The same with another rule for what is connected to. */
    public GridFtpSettings withConnectRule(ConnectRule rule) {
        return new GridFtpSettings(
                connectTimeout,
                replyTimeout,
                dataTimeout,
                quietTimeout,
                checksumTimeout,
                maxReplyBytes,
                maxPipelined,
                maxListing,
                maxParallel,
                dataPorts,
                rule);
    }
}
