// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListingTest {

    private static List<String> names(String listing) {
        return Listing.parse(listing.getBytes(StandardCharsets.ISO_8859_1)).stream()
                .map(DirectoryEntry::name)
                .toList();
    }

    @Test
    void aNameWithALineEndBreaksNothing() {
        assertThat(names("Type=file;Size=1; a\nb\r\nType=dir; c\r\n")).containsExactly("a\nb", "c");
        assertThat(names("Type=file;Size=1; a\r\nb\r\n\r\nc\r\nType=dir; d\r\n"))
                .containsExactly("a\r\nb\r\n\r\nc", "d");
        assertThat(names("Type=file; a\nb c\nType=dir; d e\n")).containsExactly("a\nb c", "d e");
        assertThat(names("")).isEmpty();
        assertThatThrownBy(() -> names("a\r\nType=dir; c\r\n")).isInstanceOf(IllegalArgumentException.class);
    }

    /** A file that is named "x", line end, "type=dir; .." would have had its directory's neighbours deleted. */
    @Test
    void aNameForgesNoEntryElsewhere() {
        assertThat(names("type=file; x\r\ntype=dir; ..\r\ntype=dir; .\r\ntype=file; /etc/x\r\ntype=file; y\r\n"))
                .containsExactly("x", "y");
    }

    @Test
    void bytesThatAreNotUtf8ComeBackAsTheyWere() {
        String name = names("Type=file;Size=1; caf\u00e9\u00c3\u00a4\r\n").getFirst();
        assertThat(name).startsWith("caf").endsWith("\u00e4").hasSize(5);
        assertThat(RawText.bytes(name)).isEqualTo("caf\u00e9\u00c3\u00a4".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(CommandText.shown("RETR " + name)).isEqualTo("RETR caf%E9\u00e4");
    }

    @Test
    void aFactMayHoldABlank() {
        assertThat(names("Type=file;UNIX.slink=/a b;Size=1; c; d\r\n")).containsExactly("c; d");
    }
}
