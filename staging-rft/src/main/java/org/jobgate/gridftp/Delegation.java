// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

/**
 * What a server gets to act for the user. It needs a credential for the data channels of a third-party transfer that are authenticated
 * ({@link DataAuthentication#SELF}, the default), and for nothing else.
 */
public enum Delegation {
    /** Nothing. */
    NONE,
    /** A limited proxy: good for data, refused by services that start jobs. */
    LIMITED,
    /** A proxy that may do all that the user's own may. A limited one cannot give it: its proxies are limited. */
    FULL
}
