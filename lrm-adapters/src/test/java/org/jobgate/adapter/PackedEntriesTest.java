// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.TreeEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                "a|33188|12345678901234567890|100|a|u|",
                "a|33188|5|100|a|u||b"
            })
    void whatIsNotPackedSoIsRefused(String text) {
        assertThatThrownBy(() -> read(text, 10))
                .isInstanceOf(FilesUnavailableException.class)
                .hasMessageContaining("alice");
    }

    /** A file of somebody else in a directory that many may write to must not keep them from listing it. */
    @ParameterizedTest
    @CsvSource({
        "253402300800, 9999-12-31T23:59:59Z",
        "100000000000000000, 9999-12-31T23:59:59Z",
        "9223372036854775807, 9999-12-31T23:59:59Z",
        "9999999999999999999, 9999-12-31T23:59:59Z",
        "-9223372036854775808, 0001-01-01T00:00:00Z"
    })
    void aTimeThatIsNoDateBecomesOne(String modified, String date) throws Exception {
        TreeEntry entry = read("a|33188|5|" + modified + "|a|u|", 1).getFirst();

        assertThat(Instant.ofEpochSecond(entry.modified())).hasToString(date);
    }

    @Test
    void namesAndTargetsLongerThanThereAreAnyAreRefused() throws Exception {
        String name = "n".repeat(255);
        String target = "t".repeat(4096);
        assertThat(read(name + "|41471|5|100|a|u|" + target, 1).getFirst().target())
                .isEqualTo(target);

        assertThatThrownBy(() -> read(name + "n|33188|5|100|a|u|", 1)).isInstanceOf(FilesUnavailableException.class);
        assertThatThrownBy(() -> read("l|41471|5|100|a|u|" + target + "t", 1))
                .isInstanceOf(FilesUnavailableException.class);
    }

    @Test
    void moreThanWereAskedForAreRefused() {
        assertThatThrownBy(() -> read("a|33188|5|100|a|u||b|33188|5|100|a|u|", 1))
                .hasMessageContaining("listed more than it was asked for");
    }
}
