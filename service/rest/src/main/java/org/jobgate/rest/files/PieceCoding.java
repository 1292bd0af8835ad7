// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/** How a part of a file is packed on its way; the better one first. All are as quick as they can be rather than small. */
public enum PieceCoding {

    /** Zstandard (RFC 8878), level 1, by a native library: where that cannot be loaded there is none. */
    ZSTD {
        @Override
        boolean isThere() {
            return NativeZstd.isThere();
        }

        @Override
        OutputStream coder(OutputStream out) throws IOException {
            return new ZstdOutputStreamNoFinalizer(out, 1);
        }

        @Override
        InputStream decoder(InputStream in) throws IOException {
            return new FilterInputStream(new ZstdInputStreamNoFinalizer(in).setLongMax(WINDOW_LOG)) {
                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    try {
                        return super.read(into, from, length);
                    } catch (ZstdIOException e) {
                        throw (ZipException) new ZipException("as zstd: " + e.getMessage()).initCause(e);
                    }
                }
            };
        }
    },

    /** Gzip (RFC 1952), its quickest level. */
    GZIP {
        @Override
        boolean isThere() {
            return true;
        }

        @Override
        OutputStream coder(OutputStream out) throws IOException {
            return new GZIPOutputStream(out, JobFilesServlet.CHUNK) {
                {
                    def.setLevel(Deflater.BEST_SPEED);
                }
            };
        }

        @Override
        InputStream decoder(InputStream in) throws IOException {
            return new GZIPInputStream(in);
        }
    };

    /** What a packed body may have us remember of what was unpacked: 2 to the power of this, in bytes. Level 1 needs no more. */
    private static final int WINDOW_LOG = 19;

    abstract boolean isThere();

    abstract OutputStream coder(OutputStream out) throws IOException;

    abstract InputStream decoder(InputStream in) throws IOException;

    /** The word of the header. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Those that can be used here. */
    static List<PieceCoding> usable() {
        return Arrays.stream(values()).filter(PieceCoding::isThere).toList();
    }

    /** The words of those that can be used here, as a header has them. */
    public static String words() {
        return usable().stream().map(PieceCoding::word).collect(Collectors.joining(", "));
    }

    /** Packs what is written until {@link Packing#finish}. */
    public Packing packing(OutputStream out) throws IOException {
        return new Packing(out);
    }

    /** Unpacks a body; closing it frees its buffers and leaves the body open. */
    InputStream unpacking(InputStream body) throws IOException {
        return decoder(new FilterInputStream(body) {
            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                return in.read(into, from, length);
            }

            @Override
            public void close() {}
        });
    }

    /**
     * Packs what is written. Closed before it was finished it writes nothing more: an end of its own would look like the end of the part.
     * It never closes what it writes to.
     */
    public final class Packing extends OutputStream {

        private final Gate gate;
        private final OutputStream coder;

        private Packing(OutputStream out) throws IOException {
            this.gate = new Gate(out);
            this.coder = coder(gate);
        }

        @Override
        public void write(int one) throws IOException {
            coder.write(one);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            coder.write(bytes, from, length);
        }

        /** That was all. */
        public void finish() throws IOException {
            coder.close();
        }

        @Override
        public void close() throws IOException {
            gate.isShut = true;
            coder.close();
        }
    }

    private static final class Gate extends FilterOutputStream {

        private boolean isShut;

        Gate(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int one) throws IOException {
            if (!isShut) {
                out.write(one);
            }
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (!isShut) {
                out.write(bytes, from, length);
            }
        }

        @Override
        public void flush() throws IOException {
            if (!isShut) {
                out.flush();
            }
        }

        @Override
        public void close() {
            isShut = true;
        }
    }
}
