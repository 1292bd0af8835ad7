// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.util.Native;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** All that touches the library for Zstandard, which is on the class path only where the launcher has put it there. */
final class NativeZstd {

    /** The quickest level with a window that the service accepts. */
    private static final int LEVEL = 1;

    private NativeZstd() {}

    /**
     * Makes it ready.
     *
     * @throws LinkageError where it is not on the class path, or is for no machine like this
     */
    static void load() {
        Native.load();
    }

    static byte[] pack(byte[] bytes) {
        return Zstd.compress(bytes, LEVEL);
    }

    static InputStream unpacking(byte[] packed) throws IOException {
        return new ZstdInputStreamNoFinalizer(new ByteArrayInputStream(packed));
    }
}
