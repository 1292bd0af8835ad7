// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.limits;

import static java.util.Objects.requireNonNull;

import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Later;

/**
 * One bound, by the name that it has in the configuration.
 *
 * @param name e.g. {@code limits.maxArguments}
 * @param value the most that is allowed
 */
public record Limit(String name, long value) {

    public Limit {
        requireNonNull(name, "name is null");
        if (value < 0) {
            throw new IllegalArgumentException("the limit " + name + " is " + value + "; it must not be negative");
        }
    }

    /**
     * Refuses a count above the limit.
     *
     * @param what what was counted, e.g. {@code arguments of the job}
     * @throws FaultException of code {@code LIMIT_EXCEEDED} that says the limit, its value and the count
     */
    public void check(long count, String what) {
        if (count > value) {
            throw new FaultException(refusal(count, what));
        }
    }

    /**
     * The same of a count that a part of a job's description gives.
     *
     * @throws FaultException as {@link #check(long, String)}, about that part
     */
    public void check(long count, String what, DescriptionPart part) {
        if (count > value) {
            throw new FaultException(refusal(count, what).at(part));
        }
    }

    /**
     * The same of what there is at a time: with less of it, the same request is taken.
     *
     * @param room whose the count is
     * @throws FaultException as {@link #check(long, String)}, which says that the request may come again later
     */
    public void checkRoom(long count, String what, Later.Room room) {
        if (count > value) {
            throw new FaultException(noRoom(count, what, room));
        }
    }

    /**
     * The same of a request that asks for several at once. One that asks for more than the whole limit is not taken later either.
     *
     * @param present how many there are without the request
     * @param more how many it asks for
     */
    public void checkRoom(long present, long more, String what, Later.Room room) {
        if (more > value) {
            throw new FaultException(refusal(present + more, what));
        }
        checkRoom(present + more, what, room);
    }

    /** The fault that {@link #checkRoom} throws where there is no room at present. */
    public Fault noRoom(long count, String what, Later.Room room) {
        return refusal(count, what).until(Later.whenThereIsRoom(room));
    }

    /** The fault that {@link #check(long, String)} throws. */
    public Fault refusal(long count, String what) {
        return Fault.of(
                        FaultCode.LIMIT_EXCEEDED,
                        what + ": " + count + " is over the limit " + name + " = " + value + ".",
                        "Ask for less, or ask the site's administrator to raise " + name + ".")
                .about(name, Long.toString(count));
    }
}
