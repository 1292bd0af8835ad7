// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The files of one account hang. */
class ArcSweepTest extends ArcRoom {

    private static final String WITH_FILE =
            adl("<Executable><Path>run.sh</Path></Executable>", "<InputFile><Name>run.sh</Name></InputFile>");

    private static final JsonMapper JSON = new JsonMapper();

    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch answers = new CountDownLatch(1);
    private volatile boolean isSlow;

    @Override
    DiskFiles files() {
        return new DiskFiles() {
            @Override
            public FileAnswer read(String account, FilePlace place, long offset, int length)
                    throws FilesUnavailableException {
                if (account.equals("Bob")) {
                    asked.incrementAndGet();
                    if (isSlow) {
                        waitForAnswer();
                    }
                    throw new FilesUnavailableException("the file system does not answer");
                }
                return super.read(account, place, offset, length);
            }
        };
    }

    private void waitForAnswer() throws FilesUnavailableException {
        try {
            answers.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FilesUnavailableException("the service ends");
        }
    }

    @Test
    void aJobThatMustStartInTimeIsEndedWhileFilesOfAnotherAccountHang() throws Exception {
        assertThat(askAs(BOB, "POST", "/1.1/jobs?action=new", WITH_FILE).statusCode())
                .isEqualTo(201);
        isSlow = true;
        restart();
        await().until(() -> asked.get() > 0);
        Instant soon = Instant.now().plusSeconds(4).truncatedTo(ChronoUnit.SECONDS);
        JobId hers = submit(adl(
                "<Executable><Path>/bin/true</Path></Executable><ExpirationTime>" + soon + "</ExpirationTime>", ""));
        await().atMost(Duration.ofSeconds(60)).until(() -> state(hers).equals("FAILED"));
        answers.countDown();
    }

    @Test
    void filesOfOneAccountThatHangAreAskedForOnceInARound() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(askAs(BOB, "POST", "/1.1/jobs?action=new", WITH_FILE).statusCode())
                    .isEqualTo(201);
        }
        JobId hers = submit(WITH_FILE);
        Path directory = sessions().resolve(hers.toString());
        Files.writeString(directory.resolve("run.sh"), "#!/bin/sh\n");
        restart();
        await().until(() -> lrm.knows(hers));
        await().during(Duration.ofMillis(300)).until(() -> asked.get() == 1);
    }

    @Test
    void jobsAreRestartedWhileFilesOfAnotherAccountHang() throws Exception {
        String pushes = adl(
                "<Executable><Path>run.sh</Path></Executable>",
                "<ClientDataPush>true</ClientDataPush><InputFile><Name>run.sh</Name></InputFile>");
        List<String> his = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            String made = askAs(BOB, "POST", "/1.1/jobs?action=new", pushes, "Accept", "application/json")
                    .body();
            his.add(JSON.readTree(made).get("job").get(0).get("id").asString());
        }
        List<JobId> hers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            JobId id = submit(SLEEP);
            act("kill", id);
            await().atMost(Duration.ofSeconds(60)).until(() -> state(id).equals("KILLED"));
            hers.add(id);
        }
        isSlow = true;
        int before = asked.get();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String id : his) {
                var unused = clients.submit(() ->
                        askAs(BOB, "POST", "/1.1/jobs?action=restart", ids(id), "Content-Type", "application/json"));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> asked.get() - before >= his.size());
            for (JobId id : hers) {
                assertThat(act("restart", id).get("status-code").asString()).isEqualTo("202");
            }
            answers.countDown();
        }
    }
}
