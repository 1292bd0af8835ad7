// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

/** The passwords of local accounts, as the system checks them. */
@FunctionalInterface
public interface AccountPasswords {

    /**
     * Whether this is the account's password, and the account may be used. False also where that cannot be found out: the implementation has
     * logged why.
     *
     * @param account one that the site's list of passwords names
     * @param password as the client sent it
     */
    boolean fit(String account, String password);
}
