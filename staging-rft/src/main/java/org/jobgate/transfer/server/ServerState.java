// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.server;

/**
 * The load of a file server at this moment.
 *
 * @param server one of those that lead to the file
 * @param active transfers through the server at this moment
 * @param bytesPerSecond measured of the newest transfers, the newer the more weight; 0 where none was made yet
 */
public record ServerState(FileServer server, int active, double bytesPerSecond) {}
