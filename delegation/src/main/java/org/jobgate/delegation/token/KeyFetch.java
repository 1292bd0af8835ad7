// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import java.io.IOException;
import java.net.URI;

/** Gets a small document from an issuer. */
@FunctionalInterface
public interface KeyFetch {

    /** The longest document that is read, bytes. */
    int MAX_BYTES = 256 * 1024;

    /**
     * The document.
     *
     * @throws IOException it cannot be had, or is longer than {@value #MAX_BYTES} bytes
     */
    String fetch(URI address) throws IOException;
}
