// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import java.io.ByteArrayOutputStream;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;

/** Where pass phrases come from: the terminal or standard input; never the command line, which everybody on the machine can read. */
final class Passphrases {
    private static final int BYTES_MAX = 4096;

    private Passphrases() {}

    static Supplier<char[]> from(boolean isFromStdin, String prompt, InputStream in) {
        return isFromStdin ? () -> firstLine(in) : () -> ask(prompt);
    }

    /** Where a locked key is of no use. */
    static Supplier<char[]> none() {
        return () -> {
            throw new IllegalArgumentException("the key of a proxy is never locked; this one is");
        };
    }

    @SuppressWarnings(
            "SystemConsoleNull") // the launcher chooses jdk.console=java.base, which is null without a terminal
    private static char[] ask(String prompt) {
        Console terminal = System.console();
        char[] passphrase = terminal == null ? null : terminal.readPassword("%s: ", prompt);
        if (passphrase == null) {
            throw new IllegalArgumentException(
                    "a pass phrase is needed and there is no terminal to ask at; give it on standard input with --passphrase-stdin");
        }
        return passphrase;
    }

    /** UTF-8, without the line's end. */
    private static char[] firstLine(InputStream in) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
                if (line.size() == BYTES_MAX) {
                    throw new IllegalArgumentException(
                            "the pass phrase on standard input is longer than " + BYTES_MAX + " bytes");
                }
                line.write(next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("standard input cannot be read", e);
        }
        byte[] bytes = line.toByteArray();
        int length = bytes.length > 0 && bytes[bytes.length - 1] == '\r' ? bytes.length - 1 : bytes.length;
        char[] text = new char[length];
        CharBuffer decoded = CharBuffer.wrap(text);
        boolean isText = !StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes, 0, length), decoded, true)
                .isError();
        char[] passphrase = Arrays.copyOf(text, decoded.position());
        Arrays.fill(text, ' ');
        Arrays.fill(bytes, (byte) 0);
        if (!isText) {
            throw new IllegalArgumentException("the pass phrase on standard input is not UTF-8");
        }
        return passphrase;
    }
}
