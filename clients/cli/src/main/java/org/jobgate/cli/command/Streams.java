// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;

/** stdout and stderr in the locale's encoding, each line at once. System.out would be slower to make. */
public final class Streams {
    private Streams() {}

    public static PrintStream out() {
        return stream(FileDescriptor.out);
    }

    public static PrintStream errors() {
        return stream(FileDescriptor.err);
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        String encoding = System.getProperty("stdout.encoding", System.getProperty("native.encoding", "UTF-8"));
        return new PrintStream(
                new BufferedOutputStream(new FileOutputStream(descriptor), 2048), true, Charset.forName(encoding));
    }
}
