// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads what a server says during a transfer: markers to the meter, until the last reply. */
final class TransferReplies {

    private static final Pattern RANGE = Pattern.compile("(?i)^range marker:? *");

    private final ControlChannel control;
    private final Meter meter;
    private final Duration between;
    private final Map<Integer, Long> stripes = new HashMap<>();

    /** For a session whose server, once it tells markers, must tell progress within its data time-out. */
    TransferReplies(GridFtpSession session, Meter meter) {
        this.control = session.control();
        this.meter = meter;
        this.between = session.settings().dataTimeout();
    }

    /** The last reply to the command, success or not. */
    Reply last(String command) throws GridFtpException {
        Reply reply = control.read(command, meter.patience());
        while (reply.isPreliminary()) {
            take(command, reply);
            reply = control.read(command, meter.patience());
        }
        return reply;
    }

    private void take(String command, Reply reply) throws GridFtpException {
        switch (reply.code()) {
            case 111 -> meter.arrived(ranges(command, reply));
            case 112 -> performance(PerformanceMarker.of(reply));
            default -> meter.patience().renew();
        }
    }

    private ByteRanges ranges(String command, Reply reply) throws GridFtpException {
        String text = RANGE.matcher(reply.lines().get(0)).replaceFirst("");
        try {
            return ByteRanges.parse(text);
        } catch (IllegalArgumentException e) {
            throw GridFtpException.of(
                    Fault.PROTOCOL, control.server(), command, "the restart marker makes no sense", e);
        }
    }

    private void performance(PerformanceMarker marker) {
        meter.marker(marker);
        Long before = stripes.put(marker.stripe(), marker.bytes());
        if (before == null || marker.bytes() > before) {
            meter.patience().renew(between);
            long sum = 0;
            for (long each : stripes.values()) {
                sum += each;
            }
            meter.reported(sum);
        }
    }
}
