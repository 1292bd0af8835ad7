// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.htcondor;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One event of a job event log.
 *
 * @param number its number; {@link #type} is the name of those that we know
 * @param cluster the job's cluster; -1 for an event of the log itself
 * @param process the number in the cluster
 * @param time as written: {@code 2026-11-20 17:46:44.339Z}, with or without fraction and Z (without: the schedd's local time)
 * @param headline the text behind the time
 * @param body the lines below, unchanged
 * @param end where the event ends in the log: the offset to go on from
 */
public record JobEvent(int number, long cluster, long process, String time, String headline, String body, long end) {

    private static final Pattern NORMAL =
            Pattern.compile("\\(1\\) Normal termination \\(return value (-?[0-9]{1,9})\\)");
    private static final Pattern ABNORMAL = Pattern.compile("\\(0\\) Abnormal termination \\(signal ([0-9]{1,4})\\)");
    private static final Pattern CODES = Pattern.compile("(?m)^\\s*Code ([0-9]{1,9}) Subcode (-?[0-9]{1,9})");
    private static final Pattern TAG_LINE = Pattern.compile("(?m)^[A-Za-z_]\\w* = ");

    public JobEvent {
        requireNonNull(time, "time is null");
        requireNonNull(headline, "headline is null");
        requireNonNull(body, "body is null");
    }

    /** Events by their number in HTCondor 23.x. */
    public enum Type {
        SUBMIT(0),
        EXECUTE(1),
        EXECUTABLE_ERROR(2),
        CHECKPOINTED(3),
        EVICTED(4),
        TERMINATED(5),
        IMAGE_SIZE(6),
        SHADOW_EXCEPTION(7),
        GENERIC(8),
        ABORTED(9),
        SUSPENDED(10),
        UNSUSPENDED(11),
        HELD(12),
        RELEASED(13),
        NODE_EXECUTE(14),
        NODE_TERMINATED(15),
        POST_SCRIPT_TERMINATED(16),
        REMOTE_ERROR(21),
        DISCONNECTED(22),
        RECONNECTED(23),
        RECONNECT_FAILED(24),
        GRID_RESOURCE_UP(25),
        GRID_RESOURCE_DOWN(26),
        GRID_SUBMIT(27),
        AD_INFORMATION(28),
        STATUS_UNKNOWN(29),
        STATUS_KNOWN(30),
        STAGE_IN(31),
        STAGE_OUT(32),
        ATTRIBUTE_UPDATE(33),
        PRE_SKIP(34),
        CLUSTER_SUBMIT(35),
        CLUSTER_REMOVE(36),
        FACTORY_PAUSED(37),
        FACTORY_RESUMED(38),
        NONE(39),
        FILE_TRANSFER(40);

        private final int number;

        Type(int number) {
            this.number = number;
        }

        private static Optional<Type> of(int number) {
            for (Type type : values()) {
                if (type.number == number) {
                    return Optional.of(type);
                }
            }
            return Optional.empty();
        }
    }

    /** Empty for a number that we do not know. */
    public Optional<Type> type() {
        return Type.of(number);
    }

    /** {@code cluster.process}. */
    public String id() {
        return cluster + "." + process;
    }

    /** What a {@link Type#TERMINATED} job returned, if it ended by itself. */
    public OptionalInt exitCode() {
        return number == 5 ? first(NORMAL) : OptionalInt.empty();
    }

    /** The signal that ended a {@link Type#TERMINATED} job, if one did. */
    public OptionalInt signal() {
        return number == 5 ? first(ABNORMAL) : OptionalInt.empty();
    }

    /** The code of the reason for which a job is {@link Type#HELD}. */
    public OptionalInt holdCode() {
        return number == 12 ? first(CODES) : OptionalInt.empty();
    }

    /** The first line of text below: why it was held, released, aborted, or disconnected. */
    public String reason() {
        return body.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("");
    }

    /**
     * The attributes of an {@link Type#AD_INFORMATION} event.
     *
     * @throws ClassAdException if this is none or its lines are no attributes
     */
    public ClassAd ad() throws ClassAdException {
        if (number != 28 || !TAG_LINE.matcher(body).find()) {
            throw new ClassAdException("event " + number + " of " + id() + " has no attributes");
        }
        return ClassAdParser.parseLong(body);
    }

    private OptionalInt first(Pattern pattern) {
        Matcher matcher = pattern.matcher(body);
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }
}
