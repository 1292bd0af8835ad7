// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.s3;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jobgate.files.FileNames;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/**
 * Where an {@code s3://} URL points.
 *
 * @param key decoded, without the slash that follows the bucket; empty for the bucket itself
 */
record S3Place(String bucket, String key) {

    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,254}");
    private static final int MAX_KEY_BYTES = 1024;
    private static final String UNRESERVED = "-._~";

    static S3Place of(URI url) throws TransferException {
        String bucket = url.getRawAuthority();
        String path = url.getRawPath() == null ? null : FileNames.decoded(url.getRawPath());
        if (bucket == null
                || !BUCKET.matcher(bucket).matches()
                || path == null
                || !path.startsWith("/")
                || url.getRawQuery() != null) {
            throw wrong("it must be s3://bucket/key, without a user and a port");
        }
        String key = path.substring(1);
        if (!FileNames.isText(key)) {
            throw wrong("its key is not UTF-8, as keys of S3 are");
        }
        if (Arrays.stream(key.split("/")).anyMatch(name -> name.equals(".") || name.equals(".."))) {
            throw wrong("its key must not have . or .. as a part");
        }
        if (key.getBytes(StandardCharsets.UTF_8).length > MAX_KEY_BYTES) {
            throw wrong("its key has more than " + MAX_KEY_BYTES + " bytes");
        }
        return new S3Place(bucket, key);
    }

    private static TransferException wrong(String why) {
        return new TransferException(
                Kind.PERMANENT, "the URL of an object cannot be used: " + why, "Correct the URL in the job.");
    }

    /** The key as a prefix of those below it. */
    S3Place asDirectory() {
        return key.isEmpty() || key.endsWith("/") ? this : new S3Place(bucket, key + "/");
    }

    S3Place at(String other) {
        return new S3Place(bucket, other);
    }

    /** The path of the object below the endpoint, each byte encoded as SigV4 has it. */
    String encodedPath() {
        return "/" + encode(bucket, "") + "/" + encode(key, "/");
    }

    /** RFC 3986 section 2.3: all but unreserved characters as %XX, and but those that are kept. */
    static String encode(String text, String kept) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            boolean isPlain = c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0);
            if (isPlain || kept.indexOf(c) >= 0) {
                encoded.append(c);
            } else {
                encoded.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        return encoded.toString();
    }

    /** For people. */
    @Override
    public String toString() {
        return "s3://" + bucket + "/" + key;
    }
}
