// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.TreeEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a worker packs is the account's word: it becomes entries, or is refused. */
class PackedEntriesTest {

    private static List<TreeEntry> read(String text, int limit) throws FilesUnavailableException {
        return new PackedEntries("alice", text.replace('|', '\0').getBytes(StandardCharsets.UTF_8)).read(limit);
    }

    @Test
    void entriesAreRead() throws Exception {
        assertThat(read("", 1)).isEmpty();
        assertThat(read(
                        "a b|33188|5|100|alice|users||d|17407|0|-1|bob|users||l|41471|3|7|bob|staff|a b|p|4096|0|0|9|9|x",
                        4))
                .containsExactly(
                        new TreeEntry("a b", TreeEntry.Kind.FILE, 5, 100, 0644, "alice", "users", null),
                        new TreeEntry("d", TreeEntry.Kind.DIRECTORY, 0, -1, 01777, "bob", "users", null),
                        new TreeEntry("l", TreeEntry.Kind.LINK, 3, 7, 0777, "bob", "staff", "a b"),
                        new TreeEntry("p", TreeEntry.Kind.OTHER, 0, 0, 0, "9", "9", null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a|33188|5|100|alice|users",
                "|33188|5|100|a|u|",
                "a/b|33188|5|100|a|u|",
                "..|33188|5|100|a|u|",
                "a|x|5|100|a|u|",
                "a||5|100|a|u|",
                "a|33188|-|100|a|u|",
                "a|33188|1234567890123456789|100|a|u|",
                "a|33188|5|100|a|u||b"
            })
    void whatIsNotPackedSoIsRefused(String text) {
        assertThatThrownBy(() -> read(text, 10))
                .isInstanceOf(FilesUnavailableException.class)
                .hasMessageContaining("alice");
    }

    @Test
    void moreThanWereAskedForAreRefused() {
        assertThatThrownBy(() -> read("a|33188|5|100|a|u||b|33188|5|100|a|u|", 1))
                .hasMessageContaining("listed more than it was asked for");
    }
}
