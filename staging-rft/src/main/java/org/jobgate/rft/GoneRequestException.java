// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

/** A request was destroyed while it was being asked for. */
final class GoneRequestException extends RuntimeException {

    private static final long serialVersionUID = 1;

    GoneRequestException(String key) {
        super("The request " + key + " to move files has been destroyed.");
    }
}
