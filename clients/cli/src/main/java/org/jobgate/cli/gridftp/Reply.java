// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.gridftp;

import java.io.IOException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.RefusedException;

/**
 * What a server answers a command (RFC 959, section 4.2).
 *
 * @param text its lines, without the code, with a line end between any two
 */
record Reply(int code, String text) {

    private static final Pattern TOKEN = Pattern.compile("ADAT=(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    boolean isPreliminary() {
        return code / 100 == 1;
    }

    boolean isFailure() {
        return code / 100 > 3;
    }

    /** The same, if it has one of these codes. */
    Reply expect(String what, int... codes) throws IOException {
        for (int wanted : codes) {
            if (code == wanted) {
                return this;
            }
        }
        throw refusal(what, RefusedException.What.REQUEST);
    }

    /** What it means where it is a failure: one of 4xx may be over soon, another will be the same when it is asked again. */
    IOException refusal(String what, RefusedException.What kind) {
        String said = "The GridFTP server refused " + what + ": " + code + " "
                + Printable.of(Sentence.of(text.replaceAll("\\s+", " ").strip()));
        return code / 100 == 4 ? new IOException(said) : new RefusedException(kind, said, null);
    }

    /** The security token in it, empty where there is none. */
    byte[] token() throws IOException {
        Matcher found = TOKEN.matcher(text);
        if (!found.find()) {
            return new byte[0];
        }
        try {
            return Base64.getDecoder().decode(found.group(1).strip());
        } catch (IllegalArgumentException e) {
            throw new IOException("The GridFTP server's security token makes no sense.", e);
        }
    }

    /** The number that is all of its text. */
    long number(String what) throws IOException {
        String digits = text.strip();
        if (!digits.matches("[0-9]{1,18}")) {
            throw new IOException("The GridFTP server answered " + what + " with '" + Printable.of(digits) + "'.");
        }
        return Long.parseLong(digits);
    }
}
