// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.Optional;

/** Where local accounts have their home directories. */
@FunctionalInterface
public interface AccountHomes {

    /** The account's home directory; empty where there is no such account. */
    Optional<String> home(String account);
}
