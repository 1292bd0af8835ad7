// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;
import org.jobgate.cli.text.Sentence;

/** A bearer token (RFC 6750). It shows itself to nobody but the server: not in messages, not as text. */
public final class BearerToken {
    /** A longer one is refused before it is sent. */
    static final int BYTES_MAX = 64 * 1024;

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/-]+=*");
    private static final Set<PosixFilePermission> OF_OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final String text;

    private BearerToken(String text) {
        this.text = text;
    }

    /**
     * A token that stands in the environment.
     *
     * @param source where it was found, for messages
     * @throws CredentialException what is there cannot be a token (RFC 6750 section 2.1)
     */
    static BearerToken of(String source, String text) throws CredentialException {
        String token = text.strip();
        if (token.length() > BYTES_MAX || !FORM.matcher(token).matches()) {
            throw new CredentialException("What " + source + " holds is no bearer token: it is "
                    + (token.isEmpty() ? "empty" : "too long, or has characters that no token has") + ".");
        }
        return new BearerToken(token);
    }

    /**
     * Reads a file with a token and nothing else.
     *
     * @throws CredentialException unreadable, somebody else's, readable for others, or no token
     */
    static BearerToken read(Path file, int account) throws CredentialException {
        try {
            if (!Integer.valueOf(account).equals(Files.getAttribute(file, "unix:uid"))) {
                throw new CredentialException(
                        "File " + file
                                + " belongs to another account, so its token may be somebody else's. Remove it, or name yours with BEARER_TOKEN_FILE.");
            }
        } catch (IOException e) {
            throw new CredentialException("File " + file + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
        return read(file);
    }

    /**
     * Reads a file that its owner has named, with a token and nothing else.
     *
     * @throws CredentialException unreadable, readable for others, or no token
     */
    public static BearerToken read(Path file) throws CredentialException {
        try (InputStream in = Files.newInputStream(file)) {
            if (Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
                throw new CredentialException(
                        "File " + file + " holds a token and others may read or write it. Run: chmod 600 " + file);
            }
            return of("file " + file, new String(in.readNBytes(BYTES_MAX + 1), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new CredentialException("File " + file + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }

    static boolean isThere(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** The header, with its line end. */
    String headerLine() {
        return "Authorization: Bearer " + text + "\r\n";
    }

    /** Its bytes in base64, as a message carries them to a service that is to keep it. */
    public String base64() {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return "a bearer token";
    }
}
