// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.packing;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/**
 * How bytes are packed on their way; what is to be taken first comes first. A further one is a further constant, with its word. Each has levels
 * from {@value #QUICKEST}, the quickest, to {@value #SMALLEST}.
 */
public enum Codec {

    /**
     * Zstandard (RFC 8878), by a native library: where that cannot be loaded there is none. A stream that packs needs about 5 MB outside the heap
     * at level 3 and 12 MB at level 9; one that unpacks needs its window.
     */
    ZSTD(1, 4, false) {
        @Override
        public boolean isThere() {
            return NativeZstd.isThere();
        }

        @Override
        OutputStream coder(OutputStream out, int level) throws IOException {
            return new ZstdOutputStreamNoFinalizer(out, level).setWindowLog(WINDOW_LOG);
        }

        @Override
        InputStream decoder(InputStream in) throws IOException {
            return new ZstdInputStreamNoFinalizer(in).setLongMax(WINDOW_LOG);
        }
    },

    /** Gzip (RFC 1952). */
    GZIP(1, Codec.NEVER, false) {
        @Override
        OutputStream coder(OutputStream out, int level) throws IOException {
            return new GZIPOutputStream(out, BUFFER) {
                {
                    def.setLevel(level);
                }
            };
        }

        @Override
        InputStream decoder(InputStream in) throws IOException {
            return new GZIPInputStream(in, BUFFER);
        }
    },

    /** The same compression in the frame of zlib (RFC 1950). */
    ZIP(1, Codec.NEVER, false) {
        @Override
        OutputStream coder(OutputStream out, int level) {
            Deflater deflater = new Deflater(level);
            return new DeflaterOutputStream(out, deflater, BUFFER) {
                @Override
                public void close() throws IOException {
                    try {
                        super.close();
                    } finally {
                        deflater.end(); // it frees memory outside the heap
                    }
                }
            };
        }

        @Override
        InputStream decoder(InputStream in) {
            return new InflaterInputStream(in);
        }
    },

    /** Bzip2: the smallest, and by far the slowest. A level is a block of so many times 100,000 bytes, of which packing needs eleven times the memory. */
    BZIP2(9, Codec.QUICKEST, true) {
        @Override
        OutputStream coder(OutputStream out, int level) throws IOException {
            return new BZip2CompressorOutputStream(new BufferedOutputStream(out), level);
        }

        @Override
        InputStream decoder(InputStream in) throws IOException {
            return new BZip2CompressorInputStream(new BufferedInputStream(in));
        }
    };

    public static final int QUICKEST = 1;
    public static final int SMALLEST = 9;

    /** Of what is heavy at no level. */
    private static final int NEVER = SMALLEST + 1;

    /** What a packed body may have us remember of what was unpacked: 2 to the power of this, in bytes. */
    private static final int WINDOW_LOG = 19;

    private static final int BUFFER = 64 * 1024;

    /** How many threads may pack or unpack at once with what needs megabytes for it; no thread waits for a network meanwhile. */
    static final Semaphore HEAVY = new Semaphore(4, true);

    private final int usualLevel;
    private final int heavyFrom;
    private final boolean isHeavyToUnpack;

    Codec(int usualLevel, int heavyFrom, boolean isHeavyToUnpack) {
        this.usualLevel = usualLevel;
        this.heavyFrom = heavyFrom;
        this.isHeavyToUnpack = isHeavyToUnpack;
    }

    /** Whether it can be used here. The first call loads what it needs. */
    public boolean isThere() {
        return true;
    }

    abstract OutputStream coder(OutputStream out, int level) throws IOException;

    abstract InputStream decoder(InputStream in) throws IOException;

    /** Its name in headers, options and the configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The level where none is said. */
    public int usualLevel() {
        return usualLevel;
    }

    /** The first level at which a stream that packs needs so much memory that only a few may be open at once; above {@value #SMALLEST} for none. */
    int heavyFrom() {
        return heavyFrom;
    }

    /** Whether a stream that unpacks needs megabytes of memory, whatever the level was, so that only a few may be open at once. */
    public boolean isHeavyToUnpack() {
        return isHeavyToUnpack;
    }

    /** The one of this name, if it can be used here. */
    public static Optional<Codec> find(String word) {
        return usable().stream().filter(codec -> codec.word().equals(word)).findFirst();
    }

    /** Those that can be used here. */
    public static List<Codec> usable() {
        return Arrays.stream(values()).filter(Codec::isThere).toList();
    }

    /** The words of those that can be used here, as a header has them. */
    public static String words() {
        return usable().stream().map(Codec::word).collect(Collectors.joining(", "));
    }

    /** Packs what is written until {@link Packing#finish}. */
    public Packing packing(OutputStream out, int level) throws IOException {
        return new Packing(this, level, out);
    }

    /**
     * What is in a packed body: no more than the given number of bytes is unpacked, however large the body makes itself, and no more of the body is
     * read than so many bytes can need. Closing it frees its buffers and leaves the body open.
     *
     * @throws ZipException from it or its reads if the body is not what it is said to be, or holds more
     */
    public InputStream unpacking(InputStream body, long length) throws IOException {
        return new Unpacking(this, body, length);
    }

    /** The bytes packed, all in memory. */
    public byte[] pack(byte[] bytes, int level) throws IOException, InterruptedException {
        boolean isHeavy = level >= heavyFrom;
        if (isHeavy) {
            HEAVY.acquire();
        }
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 2 + 64);
            try (Packing packing = packing(out, level)) {
                packing.write(bytes);
                packing.finish();
            }
            return out.toByteArray();
        } finally {
            if (isHeavy) {
                HEAVY.release();
            }
        }
    }

    /**
     * What packed bytes hold, all in memory.
     *
     * @throws ZipException if they are damaged, or hold another number of bytes than given
     */
    public byte[] unpack(byte[] packed, int length) throws IOException, InterruptedException {
        if (isHeavyToUnpack) {
            HEAVY.acquire();
        }
        try (InputStream in = unpacking(new ByteArrayInputStream(packed), length)) {
            byte[] bytes = in.readNBytes(length);
            if (bytes.length < length || in.read() >= 0) {
                throw new ZipException("it holds fewer bytes than were announced");
            }
            return bytes;
        } finally {
            if (isHeavyToUnpack) {
                HEAVY.release();
            }
        }
    }
}
