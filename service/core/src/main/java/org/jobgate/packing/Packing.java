// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.packing;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Packs what is written. Closed before it was finished it writes nothing more: an end of its own would look like the end of what is packed.
 * It never closes what it writes to.
 */
public final class Packing extends OutputStream {

    private final Gate gate;
    private final OutputStream coder;

    Packing(Codec codec, int level, OutputStream out) throws IOException {
        this.gate = new Gate(out);
        this.coder = codec.coder(gate, level);
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
