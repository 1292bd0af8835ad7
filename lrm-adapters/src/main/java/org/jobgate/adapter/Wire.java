// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.adapter.WireValue.Absent;
import org.jobgate.adapter.WireValue.Bytes;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.adapter.WireValue.Items;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of values between container and worker: length-prefixed, so that nothing is quoted, and cheap to read in Perl
 * (docs/internals/worker-protocol.md).
 */
final class Wire {

    static final int MAX_DEPTH = 16;

    /** Sizes have at most nine digits. */
    private static final int MAX_SIZE_DIGITS = 9;

    private Wire() {}

    /** Encodes a text, number, boolean, byte array, collection or map of such; null is encoded as absent. */
    static byte[] encode(@Nullable Object value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        write(value, out);
        return out.toByteArray();
    }

    private static void write(@Nullable Object value, ByteArrayOutputStream out) {
        switch (value) {
            case null -> out.write('~');
            case byte[] bytes -> writeBytes(bytes, out);
            case Collection<?> items -> {
                writeHead('l', items.size(), out);
                items.forEach(item -> write(item, out));
            }
            case Map<?, ?> fields -> {
                writeHead('d', fields.size(), out);
                fields.forEach((name, field) -> {
                    write(name.toString(), out);
                    write(field, out);
                });
            }
            case Boolean flag -> write(flag ? "1" : "0", out);
            default -> writeBytes(value.toString().getBytes(StandardCharsets.UTF_8), out);
        }
    }

    private static void writeBytes(byte[] bytes, ByteArrayOutputStream out) {
        writeHead('s', bytes.length, out);
        out.writeBytes(bytes);
    }

    private static void writeHead(char kind, int size, ByteArrayOutputStream out) {
        out.write(kind);
        out.writeBytes(Integer.toString(size).getBytes(StandardCharsets.US_ASCII));
        out.write(':');
    }

    /**
     * Decodes exactly one value.
     *
     * @throws WireException saying what is wrong and where
     */
    static WireValue decode(byte[] bytes) throws WireException {
        Decoder decoder = new Decoder(bytes);
        WireValue value = decoder.value(0);
        if (decoder.at != bytes.length) {
            throw new WireException("bytes left over after the value at " + decoder.at);
        }
        return value;
    }

    private static final class Decoder {
        private final byte[] bytes;
        private int at;

        Decoder(byte[] bytes) {
            this.bytes = bytes;
        }

        WireValue value(int depth) throws WireException {
            if (depth > MAX_DEPTH) {
                throw new WireException("nested deeper than " + MAX_DEPTH);
            }
            int kind = next();
            if (kind == '~') {
                return new Absent();
            }
            int size = size();
            return switch (kind) {
                case 's' -> string(size);
                case 'l' -> items(size, depth);
                case 'd' -> fields(size, depth);
                default -> throw new WireException("no value at " + at);
            };
        }

        private int next() throws WireException {
            if (at >= bytes.length) {
                throw new WireException("the value ends early, at " + at);
            }
            return bytes[at++];
        }

        private int size() throws WireException {
            int size = 0;
            for (int digits = 0; ; digits++) {
                int digit = next();
                if (digit == ':' && digits > 0) {
                    // every item takes a byte at least: no count can make us reserve more than was sent
                    if (size > bytes.length - at) {
                        throw new WireException("a size of " + size + " runs over the end, at " + at);
                    }
                    return size;
                }
                if (digit < '0' || digit > '9' || digits == MAX_SIZE_DIGITS) {
                    throw new WireException("no size at " + at);
                }
                size = size * 10 + (digit - '0');
            }
        }

        private Bytes string(int size) {
            byte[] copy = java.util.Arrays.copyOfRange(bytes, at, at + size);
            at += size;
            return new Bytes(copy);
        }

        private Items items(int size, int depth) throws WireException {
            List<WireValue> values = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                values.add(value(depth + 1));
            }
            return new Items(values);
        }

        private Fields fields(int size, int depth) throws WireException {
            Map<String, WireValue> values = new HashMap<>();
            for (int i = 0; i < size; i++) {
                if (!(value(depth + 1) instanceof Bytes name)) {
                    throw new WireException("the name of a field is not a string, at " + at);
                }
                values.put(name.text(), value(depth + 1));
            }
            return new Fields(values);
        }
    }
}
