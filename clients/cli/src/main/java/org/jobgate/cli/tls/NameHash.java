// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;
import javax.security.auth.x500.X500Principal;

/**
 * OpenSSL's name for a certificate's subject: trust directories name their files {@code <hash>.0}. Since OpenSSL 1.0 it is
 * taken over a canonical form, X509_NAME_hash(3): SHA-1 over the name with all strings as UTF-8, lower case, spaces folded.
 */
public final class NameHash {
    private static final int NUMERIC_STRING = 0x12;
    private static final int PRINTABLE_STRING = 0x13;
    private static final int T61_STRING = 0x14;
    private static final int IA5_STRING = 0x16;
    private static final int VISIBLE_STRING = 0x1A;
    private static final int UNIVERSAL_STRING = 0x1C;
    private static final int BMP_STRING = 0x1E;

    private NameHash() {}

    /** Eight hexadecimal digits. */
    public static String of(X500Principal name) {
        return digest("SHA-1", canonical(name.getEncoded()));
    }

    /** The same as OpenSSL before 1.0 made it, which some grid software still looks for. */
    public static String oldOf(X500Principal name) {
        return digest("MD5", name.getEncoded());
    }

    private static String digest(String algorithm, byte[] data) {
        try {
            byte[] hash = MessageDigest.getInstance(algorithm).digest(data);
            int number = (hash[3] & 0xFF) << 24 | (hash[2] & 0xFF) << 16 | (hash[1] & 0xFF) << 8 | (hash[0] & 0xFF);
            return String.format(Locale.ROOT, "%08x", number);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK lacks " + algorithm, e);
        }
    }

    private static byte[] canonical(byte[] name) {
        Der.Reader outer = new Der.Reader(name);
        outer.next();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Der.Reader sets = outer.inside(); sets.hasNext(); ) {
            sets.next();
            ByteArrayOutputStream set = new ByteArrayOutputStream();
            for (Der.Reader pairs = sets.inside(); pairs.hasNext(); ) {
                pairs.next();
                set.writeBytes(canonicalPair(pairs.inside()));
            }
            out.writeBytes(Der.value(Der.SET, set.toByteArray()));
        }
        return out.toByteArray();
    }

    private static byte[] canonicalPair(Der.Reader pair) {
        pair.next();
        byte[] type = Der.value(Der.OBJECT_IDENTIFIER, pair.content());
        int tag = pair.next();
        byte[] content = pair.content();
        byte[] value = switch (tag) {
            case Der.UTF8_STRING -> folded(new String(content, UTF_8));
            case PRINTABLE_STRING, IA5_STRING, VISIBLE_STRING, T61_STRING, NUMERIC_STRING ->
                folded(new String(content, ISO_8859_1));
            case BMP_STRING -> folded(new String(content, UTF_16BE));
            case UNIVERSAL_STRING -> folded(new String(content, Charset.forName("UTF-32BE")));
            default -> Der.value(tag, content);
        };
        return Der.value(Der.SEQUENCE, type, value);
    }

    /** Only ASCII letters and ASCII white space are touched, as OpenSSL does. */
    private static byte[] folded(String text) {
        byte[] in = text.getBytes(UTF_8);
        byte[] out = new byte[in.length];
        int length = 0;
        boolean space = false;
        for (byte b : in) {
            if (b == ' ' || (b >= '\t' && b <= '\r')) {
                space = length > 0;
                continue;
            }
            if (space) {
                out[length++] = ' ';
                space = false;
            }
            out[length++] = b >= 'A' && b <= 'Z' ? (byte) (b + 'a' - 'A') : b;
        }
        return Der.value(Der.UTF8_STRING, Arrays.copyOf(out, length));
    }
}
