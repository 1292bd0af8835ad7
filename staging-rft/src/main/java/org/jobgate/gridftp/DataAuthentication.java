// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Who must be at the other end of a data channel (command {@code DCAU}; GFD.020, "Data Channel Authentication").
 *
 * @param kind as the command has it
 * @param subject for {@link Kind#SUBJECT} the name in slash form, {@code /O=Grid/CN=Alice}
 */
public record DataAuthentication(Kind kind, @Nullable String subject) {

    /** The argument of {@code DCAU}. */
    public enum Kind {
        /** No authentication: the first program that connects to the port gets the data. */
        NONE("N"),
        /** The same user as at the control channel. */
        SELF("A"),
        /** A subject by name. */
        SUBJECT("S");

        private final String letter;

        Kind(String letter) {
            this.letter = letter;
        }
    }

    /** Data channels in the clear and without authentication. */
    public static final DataAuthentication NONE = new DataAuthentication(Kind.NONE, null);

    /** The user's own (delegated) credential at both ends: the default. */
    public static final DataAuthentication SELF = new DataAuthentication(Kind.SELF, null);

    /** Checks that a subject is given where one is needed. */
    public DataAuthentication {
        requireNonNull(kind, "kind is null");
        if ((kind == Kind.SUBJECT) != (subject != null)) {
            throw new IllegalArgumentException("a subject is given for kind SUBJECT, and for no other");
        }
    }

    /** The peer has this name, in slash form. */
    public static DataAuthentication subject(String name) {
        return new DataAuthentication(Kind.SUBJECT, requireNonNull(name, "name is null"));
    }

    String command() {
        return CommandText.checked("DCAU " + kind.letter + (subject == null ? "" : " " + subject));
    }
}
