// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Directories of many files, whose second page is there only when the client has read something of the first, or not at all. */
class ArcListingsTest extends ArcRoom {

    private static final int PAGE = 1_000;

    /** So long that a page is more than the buffers on the way hold. */
    private static final String LONG = "name".repeat(50);

    private final CountDownLatch hasRead = new CountDownLatch(1);
    private volatile boolean isLost;

    @Override
    DiskFiles files() {
        return new DiskFiles() {
            @Override
            public Page browse(String account, @Nullable String directory, List<String> names, @Nullable String after)
                    throws FileRefusedException, FilesUnavailableException {
                if (!names.equals(List.of("many"))) {
                    return super.browse(account, directory, names, after);
                }
                if (after != null && isLost) {
                    throw new FilesUnavailableException("the file system is away");
                }
                return after == null ? page(0, true) : second();
            }

            private Page second() throws FilesUnavailableException {
                try {
                    if (hasRead.await(1, TimeUnit.MINUTES)) {
                        return page(PAGE, false);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new FilesUnavailableException("the client has nothing of the first page");
            }

            private Page page(int from, boolean isMore) {
                return new Page(
                        IntStream.range(from, from + PAGE)
                                .mapToObj(i -> new Entry(LONG + "-%08d".formatted(i), "file", 7, 1))
                                .toList(),
                        isMore);
            }
        };
    }

    private JobId job() throws Exception {
        JobId id = submit(SLEEP);
        ask("PUT", "/jobs/" + id + "/session/many/", "");
        return id;
    }

    private String read(HttpResponse<InputStream> answer) throws IOException {
        // a body that is not closed would keep the client from ending
        try (InputStream body = answer.body()) {
            assertThat(answer.statusCode()).isEqualTo(200);
            byte[] some = body.readNBytes(1_000);
            hasRead.countDown();
            return new String(some, StandardCharsets.UTF_8) + new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aListIsWrittenWhileItIsRead() throws Exception {
        String list = read(follow("GET", "/jobs/" + job() + "/session/many/", "Accept", "application/json"));
        assertThat(list).contains("-00000000\"", "-00001999\"").endsWith("],\"dir\":[]}");
    }

    @Test
    void propertiesAreWrittenWhileTheyAreRead() throws Exception {
        String list = read(follow("PROPFIND", "/jobs/" + job() + "/session/many/", "Depth", "1"));
        assertThat(list).contains("-00000000</d:displayname>", "-00001999</d:displayname>");
        assertThat(list).endsWith("</d:multistatus>\n");
    }

    @Test
    void aListThatFailsOnTheWayDoesNotEndAsIfItWereWhole() throws Exception {
        JobId id = job();
        isLost = true;
        for (String method : List.of("GET", "PROPFIND")) {
            HttpResponse<InputStream> answer =
                    follow(method, "/jobs/" + id + "/session/many/", "Accept", "application/json", "Depth", "1");
            try (InputStream body = answer.body()) {
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
            }
        }
    }
}
