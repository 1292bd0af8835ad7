// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jobgate.job.FileTokens;
import org.jobgate.transfer.protocol.BlockInputStream;
import org.jobgate.transfer.protocol.Source;
import org.jspecify.annotations.Nullable;

/**
 * A file in which tokens are replaced while it is read. Bytes are compared, so the file may be of any kind and size; the tokens are UTF-8. At each
 * place the longest token counts, and what has taken the place of one is not looked at again.
 */
final class FilledInput extends BlockInputStream {

    private static final int BUFFER = 64 * 1024;

    private static final class Token {
        private final byte[] text;
        private final byte[] value;

        Token(String text, String value) {
            this.text = text.getBytes(StandardCharsets.UTF_8);
            this.value = value.getBytes(StandardCharsets.UTF_8);
        }
    }

    private final InputStream source;
    private final List<Token> tokens = new ArrayList<>();
    private final boolean[] begins = new boolean[256];
    private final int longest;

    private final byte[] buffer = new byte[BUFFER];
    private int start;
    private int end;
    private boolean isOver;

    /** What takes the place of the token that was found last, and how much of it was given. */
    private byte[] value = {};

    private int given;

    /** The same source with other texts in the place of the tokens; its size is not known beforehand. */
    static Source of(Source source, FileTokens tokens) {
        return new Source(0, Source.UNKNOWN, "", new FilledInput(source.bytes(), tokens));
    }

    FilledInput(InputStream source, FileTokens tokens) {
        this.source = source;
        tokens.values().forEach((token, text) -> this.tokens.add(new Token(token, text)));
        this.tokens.sort(
                Comparator.comparingInt((Token token) -> token.text.length).reversed());
        this.tokens.forEach(token -> begins[token.text[0] & 0xFF] = true);
        this.longest = this.tokens.getFirst().text.length;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (true) {
            if (given < value.length) {
                int count = Math.min(length, value.length - given);
                System.arraycopy(value, given, into, from, count);
                given += count;
                return count;
            }
            fill();
            if (start == end) {
                return -1;
            }
            int count = copy(into, from, length);
            if (count > 0) {
                return count;
            }
        }
    }

    /** Has as many bytes as the longest token in the buffer, unless the file ends before. */
    private void fill() throws IOException {
        if (end - start >= longest || isOver) {
            return;
        }
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        start = 0;
        while (end < longest && !isOver) {
            int count = source.read(buffer, end, buffer.length - end);
            isOver = count < 0;
            end += Math.max(0, count);
        }
    }

    /** Copies up to the next token, and takes that; 0 where it stands at the beginning. */
    private int copy(byte[] into, int from, int length) {
        int count = 0;
        while (count < length && start < end && (isOver || end - start >= longest)) {
            byte next = buffer[start];
            Token token = begins[next & 0xFF] ? token() : null;
            if (token != null) {
                start += token.text.length;
                value = token.value;
                given = 0;
                return count;
            }
            into[from + count] = next;
            count++;
            start++;
        }
        return count;
    }

    private @Nullable Token token() {
        for (Token token : tokens) {
            byte[] text = token.text;
            if (text.length <= end - start && Arrays.equals(buffer, start, start + text.length, text, 0, text.length)) {
                return token;
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
