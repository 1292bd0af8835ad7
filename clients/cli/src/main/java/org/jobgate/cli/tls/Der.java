// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** The few pieces of DER (X.690) that turn one form of key or name into another. */
final class Der {
    static final int INTEGER = 0x02;
    static final int OCTET_STRING = 0x04;
    static final int NULL = 0x05;
    static final int OBJECT_IDENTIFIER = 0x06;
    static final int UTF8_STRING = 0x0C;
    static final int SEQUENCE = 0x30;
    static final int SET = 0x31;
    /** Context tag 0, constructed. */
    static final int CONTEXT_0 = 0xA0;

    private static final int LONG_FORM = 0x80;

    private Der() {}

    /** One value: tag, length, the contents one after the other. */
    static byte[] value(int tag, byte[]... contents) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] content : contents) {
            all.writeBytes(content);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        writeLength(out, all.size());
        out.writeBytes(all.toByteArray());
        return out.toByteArray();
    }

    private static void writeLength(ByteArrayOutputStream out, int length) {
        if (length < LONG_FORM) {
            out.write(length);
            return;
        }
        int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
        out.write(LONG_FORM | bytes);
        for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
            out.write(length >>> shift);
        }
    }

    /** Walks over values that stand one after the other. */
    static final class Reader {
        private final byte[] data;
        private final int end;
        private int at;
        private int contentStart;
        private int contentEnd;

        Reader(byte[] data) {
            this(data, 0, data.length);
        }

        private Reader(byte[] data, int start, int end) {
            this.data = data;
            this.at = start;
            this.end = end;
        }

        boolean hasNext() {
            return at < end;
        }

        /**
         * Steps over the next value.
         *
         * @return its tag
         * @throws IllegalArgumentException where the data is cut short
         */
        int next() {
            int tag = unsigned(at++);
            int length = unsigned(at++);
            if (length >= LONG_FORM) {
                int bytes = length & 0x7F;
                if (bytes > 3) {
                    throw new IllegalArgumentException("a DER value of more than 16 MiB");
                }
                length = 0;
                for (int i = 0; i < bytes; i++) {
                    length = length << 8 | unsigned(at++);
                }
            }
            contentStart = at;
            contentEnd = at + length;
            if (contentEnd > end) {
                throw new IllegalArgumentException("a DER value is cut short");
            }
            at = contentEnd;
            return tag;
        }

        private int unsigned(int index) {
            if (index >= end) {
                throw new IllegalArgumentException("a DER value is cut short");
            }
            return data[index] & 0xFF;
        }

        /** The contents of the value just stepped over. */
        byte[] content() {
            return Arrays.copyOfRange(data, contentStart, contentEnd);
        }

        /** Looks inside the value just stepped over. */
        Reader inside() {
            return new Reader(data, contentStart, contentEnd);
        }
    }
}
