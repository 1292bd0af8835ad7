// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A GridFTP client that stands alone: JDK, canl and Bouncy Castle, nothing of Jobgate's. GSI authentication with proxies and delegation,
 * third-party transfers, stream and extended block mode with parallel streams, partial and restarted transfers, listings, checksums.
 *
 * <p>Begin with {@link org.jobgate.gridftp.GridFtpPool}, which leases a {@link org.jobgate.gridftp.GridFtpSession}. Written from GFD.020
 * and GFD.047 (GridFTP), RFC 959, 2228, 2389, 2428 and 3659, and tried against globus-gridftp-server 13.24. Described in
 * docs/reference/gridftp-client.md.
 */
@NullMarked
package org.jobgate.gridftp;

import org.jspecify.annotations.NullMarked;
