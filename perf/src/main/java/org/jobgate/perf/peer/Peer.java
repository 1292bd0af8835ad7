// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;

/** Something that runs jobs, one after another, as its users would have it do so. */
public interface Peer extends AutoCloseable {

    /** What reports call it. */
    String name();

    /** Why it cannot be measured on this machine, and what to do about it; empty where it can. */
    Optional<String> absence() throws IOException, InterruptedException;

    /** What it is, with its version. */
    String version() throws IOException, InterruptedException;

    /** Whether it has such jobs. What it does beyond that (as GRAM5, which always delegates) is told by {@link #remark}. */
    boolean does(Work work);

    /**
     * Runs one job, from just before its submission to when its user knows that it is over.
     *
     * @param number of the job, for the names of its files; unique in a run
     * @throws IOException if it fails
     */
    void run(Work work, int number) throws IOException, InterruptedException, GeneralSecurityException;

    /** What a reader must know of its figures; empty where there is nothing to say. */
    String remark();

    @Override
    void close() throws IOException;
}
