// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xml;

import org.jspecify.annotations.Nullable;

/** A document that is not well-formed, or holds what we refuse to read. */
public final class MalformedXmlException extends RuntimeException {

    public MalformedXmlException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
