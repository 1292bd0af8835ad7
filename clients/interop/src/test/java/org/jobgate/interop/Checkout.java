// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/** Where things lie in the checkout that is tested. */
final class Checkout {

    private Checkout() {}

    static Path directory() {
        return Path.of(
                requireNonNull(System.getProperty("jobgate.root"), "the system property jobgate.root is not set"));
    }

    /** A file of this module. */
    static Path file(String name) {
        return directory().resolve("clients/interop").resolve(name);
    }
}
