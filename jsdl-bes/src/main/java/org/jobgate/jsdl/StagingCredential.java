// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static java.util.Objects.requireNonNull;

/**
 * The name and the password with which one file is to be moved (GFD.135: {@code ac:Credential} with a {@code wsse:UsernameToken}). It is in
 * no job description, and no text shows its password.
 */
public final class StagingCredential {

    private final String userName;
    private final String password;

    StagingCredential(String userName, String password) {
        this.userName = requireNonNull(userName, "userName is null");
        this.password = requireNonNull(password, "password is null");
    }

    public String userName() {
        return userName;
    }

    /** For whoever keeps it sealed, or uses it. */
    public String password() {
        return password;
    }

    @Override
    public String toString() {
        return "a name and a password for a file";
    }
}
