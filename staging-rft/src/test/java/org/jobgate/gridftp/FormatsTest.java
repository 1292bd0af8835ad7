// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is written into, and read from, commands, replies, listings and blocks. */
class FormatsTest {

    private static InetAddress address(String literal) throws UnknownHostException {
        return InetAddress.getAllByName(literal)[0];
    }

    private static Reply reply(int code, String... lines) {
        return new Reply(code, List.of(lines));
    }

    @Test
    void rangesAreJoinedAndWrittenAsTheyCame() {
        assertThat(ByteRanges.parse("0-10,20-30,10-15").toString()).isEqualTo("0-15,20-30");
        assertThat(ByteRanges.parse(" 0-0 ")).isEqualTo(ByteRanges.NONE);
        ByteRanges ranges = ByteRanges.parse("0-10,20-30");
        assertThat(ranges.total()).isEqualTo(20);
        assertThat(ranges.prefix()).isEqualTo(10);
        assertThat(ranges.firstMissing(5)).isEqualTo(10);
        assertThat(ranges.gapAt(10)).isEqualTo(10);
        assertThat(ranges.gapAt(30)).isEqualTo(Long.MAX_VALUE);
        assertThat(ranges.plus(ByteRanges.parse("9-21"))).isEqualTo(ByteRanges.upTo(30));
        assertThat(ByteRanges.parse("5-9").prefix()).isZero();
    }

    @Test
    void whatIsNoRangeIsRefused() {
        for (String text : List.of("", "5", "5-", "9-5", "a-b", "1-2,,3-4", "0-99999999999999999999", "-1-5")) {
            assertThatThrownBy(() -> ByteRanges.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void dataAddressesOfAllFormsAreRead() throws Exception {
        InetAddress server = address("192.0.2.1");
        assertThat(DataAddress.in(reply(227, "Entering Passive Mode (127,0,0,1,137,89)"), server))
                .containsExactly(new DataAddress(address("127.0.0.1"), 137 * 256 + 89));
        assertThat(DataAddress.in(reply(229, "Entering Extended Passive Mode (|||50001|)"), server))
                .containsExactly(new DataAddress(server, 50001));
        assertThat(DataAddress.in(reply(229, "Entering Passive Mode (|2|2001:db8::5|50001|)"), server))
                .containsExactly(new DataAddress(address("2001:db8::5"), 50001));
        assertThat(DataAddress.in(
                        reply(229, "Entering Striped Passive Mode", " 10,0,0,1,1,2", " 10,0,0,2,1,3", "End"), server))
                .hasSize(2);
    }

    /**
     * globus-gridftp-server says 500 for nearly everything; the second was its answer to STOR when the other end of a transfer was cut off,
     * the third to RETR.
     */
    @Test
    void theWordsOfARefusalCountMoreThanItsNumber() {
        assertThat(reply(500, "'XYZZY': command not understood.").fault()).isEqualTo(Fault.UNSUPPORTED);
        assertThat(reply(
                                500,
                                "Command failed. : globus_gridftp_server_register_read failed.",
                                "globus_ftp_control_data_read failed.",
                                "globus_ftp_control_data_read(): Handle not in proper state PASV.",
                                "End.")
                        .fault())
                .isEqualTo(Fault.CONNECTION);
        assertThat(reply(
                                500,
                                "Command failed. : globus_gridftp_server_register_write failed.",
                                "globus_ftp_control_data_write failed.",
                                "Handle not in the proper state",
                                "End.")
                        .fault())
                .isEqualTo(Fault.CONNECTION);
        assertThat(reply(500, "Command failed. : System error in open: Permission denied", "End.")
                        .fault())
                .isEqualTo(Fault.DENIED);
        assertThat(reply(500, "Command failed. : the checksum type is not supported", "End.")
                        .fault())
                .isEqualTo(Fault.UNSUPPORTED);
        assertThat(reply(500, "Command failed. : Not Implemented", "End.").fault())
                .isEqualTo(Fault.UNSUPPORTED);
        assertThat(reply(500, "Command failed. : Invalid argument", "Connection reset by peer", "End.")
                        .fault())
                .isEqualTo(Fault.CONNECTION);
        assertThat(reply(500, "Command failed. : words that nobody has heard", "End.")
                        .fault())
                .isEqualTo(Fault.FAILED);
    }

    @Test
    void whatIsNoDataAddressIsRefused() throws Exception {
        InetAddress server = address("192.0.2.1");
        for (String text :
                List.of("Entering", "(1,2,3,4,5)", "(256,0,0,1,1,1)", "(127,0,0,1,0,0)", "(|||0|)", "(|||99999|)")) {
            assertThatThrownBy(() -> DataAddress.in(reply(227, text), server))
                    .as(text)
                    .isInstanceOf(MalformedReplyException.class);
        }
    }

    @Test
    void dataAddressesAreWrittenByTheirFamily() throws Exception {
        DataAddress four = new DataAddress(address("10.1.2.3"), 50001);
        DataAddress six = new DataAddress(address("2001:db8::5"), 50001);
        assertThat(four.portCommand()).isEqualTo("PORT 10,1,2,3,195,81");
        assertThat(six.portCommand()).isEqualTo("EPRT |2|2001:db8:0:0:0:0:0:5|50001|");
        assertThat(DataAddress.stripedPortCommand(List.of(four, six)))
                .isEqualTo("SPOR 10,1,2,3,195,81 |2|2001:db8:0:0:0:0:0:5|50001|");
    }

    @Test
    void listingsAreReadAsRfc3659HasThem() {
        DirectoryEntry file =
                DirectoryEntry.parse("Type=file;Size=1024;Modify=20261122012025.5;UNIX.mode=0644; a b;c.txt");
        assertThat(file.name()).isEqualTo("a b;c.txt");
        assertThat(file.type()).isEqualTo(DirectoryEntry.Type.FILE);
        assertThat(file.size()).isEqualTo(1024);
        assertThat(file.modified()).isEqualTo(Instant.parse("2026-11-22T01:20:25Z"));
        assertThat(file.facts()).containsEntry("unix.mode", "0644");
        assertThat(DirectoryEntry.parse("type=cdir; .").type()).isEqualTo(DirectoryEntry.Type.SELF);
        assertThat(DirectoryEntry.parse("Type=file;UNIX.slink=/etc/x; l").type())
                .isEqualTo(DirectoryEntry.Type.OTHER);
        assertThat(DirectoryEntry.parse(" bare").size()).isEqualTo(-1);
        assertThatThrownBy(() -> DirectoryEntry.parse("nonsense")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void performanceMarkersSayTimeStripeAndBytes() {
        PerformanceMarker marker = PerformanceMarker.of(reply(
                112,
                "Perf Marker",
                " Timestamp:  1795310428.4",
                " Stripe Index: 1",
                " Stripe Bytes Transferred: 10240",
                " Total Stripe Count: 2",
                "End."));
        assertThat(marker).isEqualTo(new PerformanceMarker(Instant.ofEpochSecond(1795310428), 1, 2, 10240));
    }

    @Test
    void blocksThatCannotBeAreRefused() throws Exception {
        BlockHeader header = new BlockHeader(BlockHeader.EOD | BlockHeader.CLOSE, 0, 0);
        assertThat(BlockHeader.of(header.bytes())).isEqualTo(header);
        for (BlockHeader bad : List.of(
                new BlockHeader(0, -1, 0),
                new BlockHeader(0, 1, -1),
                new BlockHeader(0, Long.MAX_VALUE, 1),
                new BlockHeader(BlockHeader.EOF, 1, 1))) {
            assertThatThrownBy(() -> BlockHeader.of(bad.bytes())).isInstanceOf(MalformedReplyException.class);
        }
    }

    @Test
    void blocksAreCutAroundWhatHasArrived() throws Exception {
        DataSource source = (position, buffer) -> {
            int count = (int) Math.min(buffer.remaining(), 25 - position);
            for (int i = 0; i < count; i++) {
                buffer.put((byte) (position + i));
            }
            return count <= 0 ? -1 : count;
        };
        Cutter cutter = new Cutter(source, TransferOptions.EXTENDED.withRestart(ByteRanges.parse("0-5,12-20")));
        ByteBuffer buffer = ByteBuffer.allocate(4);
        StringBuilder blocks = new StringBuilder();
        for (long at = cutter.next(buffer); at >= 0; at = cutter.next(buffer)) {
            blocks.append(at).append('+').append(buffer.remaining()).append(' ');
            assertThat(buffer.get(0)).isEqualTo((byte) at);
        }
        assertThat(blocks.toString()).isEqualTo("5+4 9+3 20+4 24+1 ");
    }

    @Test
    void serversAreNamedByHostsAndAddressesOnly() {
        assertThat(new ServerAddress("::1", 2811).toString()).isEqualTo("[::1]:2811");
        for (String host : List.of("", "a b", "a/b", "a\r\nb", "[::1]")) {
            assertThatThrownBy(() -> new ServerAddress(host, 1)).as(host).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void optionsThatDoNotGoTogetherAreRefused() {
        assertThatThrownBy(() -> TransferOptions.STREAM.withStreams(2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TransferOptions.STREAM.withStripes()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TransferOptions.STREAM.withSecurity(DataAuthentication.NONE, Protection.PRIVATE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TransferOptions.STREAM.withBuffers(-1, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DataAuthentication.subject("/O=Grid\r\nDELE x").command())
                .isInstanceOf(IllegalArgumentException.class);
    }
}
