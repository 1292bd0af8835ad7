// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.packing;

import com.github.luben.zstd.util.Native;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native library for Zstandard (zstd-jni), unpacked into the temporary directory when it is first needed. Where it cannot be loaded
 * (a temporary directory that is mounted {@code noexec}, a machine that it does not know) there is no such codec, and files are packed with others.
 */
final class NativeZstd {

    /** The system property that, set to {@code false}, leaves it out. */
    static final String SWITCH = "jobgate.nativeZstd";

    private static final Logger LOG = LoggerFactory.getLogger(NativeZstd.class);

    private NativeZstd() {}

    /** Whether it can be used. The first call loads it. */
    static boolean isThere() {
        return Loaded.IS_THERE;
    }

    private static final class Loaded {
        static final boolean IS_THERE = load();

        private static boolean load() {
            if (!Boolean.parseBoolean(System.getProperty(SWITCH, "true"))) {
                LOG.info("Files are not packed with zstd, as -D{}=false says.", SWITCH);
                return false;
            }
            try {
                Native.load();
                return true;
            } catch (LinkageError e) {
                LOG.warn(
                        "The native library for zstd cannot be used; files are packed with other codecs where somebody asks for it. {}. It is"
                                + " unpacked into {}, which must not be mounted noexec.",
                        e,
                        System.getProperty("java.io.tmpdir"));
                return false;
            }
        }
    }
}
