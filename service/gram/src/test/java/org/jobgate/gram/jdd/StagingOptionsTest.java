// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.junit.jupiter.api.Test;

/** Which options of files a description can say. */
class StagingOptionsTest {

    private static TransferList files(
            Map<String, String> ofOne, Map<String, String> ofAll, Map<String, String> ofDeleting) {
        return new TransferList(
                List.of(new Transfer("https://a/in", "file:///in", ofOne)),
                List.of(),
                List.of("file:///in"),
                ofAll,
                Map.of(),
                ofDeleting);
    }

    @Test
    void whatItHasWordsForIsSaid() {
        assertThat(StagingOptions.unsaid(files(
                        Map.of("attempts", "2", "compress", "always", "checksum", "md5"),
                        Map.of("concurrency", "2", "allOrNone", "true", "compress", "never"),
                        Map.of("maxAttempts", "3", "subjectName", "/CN=a"))))
                .isEmpty();
    }

    @Test
    void whatWouldBeLostIsNamed() {
        assertThat(StagingOptions.unsaid(files(Map.of("tokens", "x"), Map.of(), Map.of())))
                .contains("tokens");
        assertThat(StagingOptions.unsaid(files(Map.of(), Map.of("attempts", "2"), Map.of())))
                .as("an option of one copy")
                .contains("attempts");
        assertThat(StagingOptions.unsaid(files(Map.of(), Map.of(), Map.of("compress", "always"))))
                .contains("compress");
    }
}
