// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * A file of the console, as it is sent.
 *
 * @param etag of what is in it
 * @param packed with gzip
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ConsoleFile(String type, String etag, byte[] plain, byte[] packed) {

    /** All there are. */
    static final List<String> NAMES = List.of(
            "index.html",
            "icon.svg",
            "console.css",
            "console.js",
            "kit.js",
            "live.js",
            "jobs.js",
            "job.js",
            "submit.js",
            "arrays.js",
            "transfers.js",
            "service.js",
            "admin.js",
            "everybody.js",
            "plot.js",
            "rows.js");

    static ConsoleFile load(String name, String type) {
        try (InputStream in = ConsoleFile.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks the console's file " + name);
            }
            byte[] plain = in.readAllBytes();
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
                out.write(plain);
            }
            String digest = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(plain), 0, 8);
            return new ConsoleFile(type, '"' + digest + '"', plain, packed.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException("the console's file " + name + " cannot be read", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
