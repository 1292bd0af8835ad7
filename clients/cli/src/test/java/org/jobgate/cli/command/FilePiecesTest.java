// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.cli.tls.HttpReply;
import org.junit.jupiter.api.Test;

/** Servers that send a file in parts of their own sizes. */
class FilePiecesTest {

    private static final byte[] CONTENT = "0123456789".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern FIRST = Pattern.compile("Range: bytes=([0-9]+)-");

    /** @param most bytes in one answer */
    private static HttpReply reply(String headers, int most, String size) {
        Matcher first = FIRST.matcher(headers);
        assertThat(first.find()).isTrue();
        int begin = Integer.parseInt(first.group(1));
        int end = Math.min(begin + most, CONTENT.length);
        return new HttpReply(
                206,
                "Partial Content",
                Map.of("content-range", "bytes " + begin + "-" + (end - 1) + "/" + size),
                java.util.Arrays.copyOfRange(CONTENT, begin, end));
    }

    private static String fetched(int most, String size) throws Exception {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        FilePieces.Remote remote = new FilePieces.Remote() {
            @Override
            public HttpReply exchange(String method, String headers, byte[] body) {
                return reply(headers, most, size);
            }

            @Override
            public byte[] checked(HttpReply reply) {
                return reply.body();
            }
        };
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        long bytes = new FilePieces(remote, new Console("x", nowhere, nowhere, true, () -> false), at -> {}).fetch(to);
        assertThat(bytes).isEqualTo(to.size());
        return to.toString(StandardCharsets.US_ASCII);
    }

    @Test
    void aFileThatComesInShorterPartsThanAskedForIsFetchedWhole() throws Exception {
        assertThat(fetched(3, "10")).isEqualTo("0123456789");
        assertThat(fetched(10, "10")).isEqualTo("0123456789");
    }

    @Test
    void whereTheSizeIsNotSaidAShorterPartIsTheLast() throws Exception {
        assertThat(fetched(10, "*")).isEqualTo("0123456789");
    }

    @Test
    void aFileOfWhichNothingMoreComesIsNotWhole() {
        assertThatThrownBy(() -> fetched(10, "11"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("nothing more after 10 of the file's 11 bytes");
    }

    /** The file has become larger than the service said, or the service has said too little. */
    @Test
    void aFileThatIsLargerThanWasSaidIsShownAsWhole() {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        ProgressBar bar =
                new ProgressBar(new Console("x", nowhere, nowhere, false, () -> false), "data", CONTENT.length);
        bar.at(2L * CONTENT.length);

        assertThat(bar.line(System.nanoTime())).startsWith("data [########################] 100 %, ");
    }
}
