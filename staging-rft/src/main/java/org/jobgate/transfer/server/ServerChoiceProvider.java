// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.server;

/**
 * A site's own way to choose among file servers, in a jar beside those of the server: found by {@link java.util.ServiceLoader}, so the jar has a
 * file {@code META-INF/services/org.jobgate.transfer.server.ServerChoiceProvider} with the names of its classes, which have a constructor
 * without parameters.
 */
public interface ServerChoiceProvider {

    /** By which {@code staging.serverPlugIn} names it. */
    String name();

    /** Called once, when the service starts. The choice is asked for each attempt to move a file, under a lock: it must answer at once. */
    ServerChoice create();
}
