// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.files.FilePlace;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;

/** A client gives up waiting for an answer, submits again by the same key and puts its files, while the first request is still at work. */
class ArcRepeatedTest extends ArcRoom {

    private static final String KEYED = adl(
            "<Executable><Path>run.sh</Path></Executable>"
                    + "<Environment><Name>GRAM_CLIENT_KEY</Name><Value>pool#1.0</Value></Environment>",
            "<InputFile><Name>run.sh</Name></InputFile><InputFile><Name>other</Name></InputFile>");

    /** Done before the next directory is removed. */
    private final AtomicReference<Runnable> beforeRemoval = new AtomicReference<>();

    @Override
    DiskFiles files() {
        return new DiskFiles() {
            @Override
            public boolean delete(String account, FilePlace place) {
                Runnable once = beforeRemoval.getAndSet(null);
                if (once != null) {
                    once.run();
                }
                return super.delete(account, place);
            }
        };
    }

    private JobId submitAndPut() {
        try {
            JobId id = submit(KEYED);
            assertThat(ask("PUT", "/jobs/" + id + "/session/run.sh", "x").statusCode())
                    .isEqualTo(200);
            return id;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRequestThatComesLateRemovesNoFilesOfItsJob() throws Exception {
        beforeRemoval.set(this::submitAndPut);
        JobId id = submit(KEYED);
        if (beforeRemoval.getAndSet(null) != null) {
            // nothing was removed
            submitAndPut();
        }
        Path directory = sessions().resolve(DiskFiles.names(sessions()).getFirst());
        assertThat(directory.resolve("run.sh")).exists();
        assertThat(submit(KEYED)).isEqualTo(id);
        assertThat(directory.resolve("run.sh")).exists();
    }

    @Test
    void aJobAfterOneThatIsGoneHasAnEmptyDirectory() throws Exception {
        JobId first = submitAndPut();
        act("clean", first);
        await().until(() -> act("status", first).get("state").asString().equals("None"));
        JobId second = submit(KEYED);
        assertThat(second).isNotEqualTo(first);
        assertThat(ask("GET", "/jobs/" + second + "/session/run.sh", "").statusCode())
                .isEqualTo(404);
        await().until(() -> DiskFiles.names(sessions()).size() == 1);
    }

    /** HTCondor cancels what its user holds, and submits it by the same key when it is released. */
    @Test
    void aJobThatWasCancelledIsFollowedByANewOneOfItsKey() throws Exception {
        JobId first = submit(KEYED);
        act("kill", first);
        JobId second = submit(KEYED);
        assertThat(second).isNotEqualTo(first);
        assertThat(submit(KEYED)).as("asked for once more").isEqualTo(second);
        act("clean", first);
        act("clean", second);
        await().until(() -> act("status", second).get("state").asString().equals("None"));
        JobId third = submit(KEYED);
        assertThat(third).isNotIn(first, second);
        assertThat(submit(KEYED)).isEqualTo(third);
    }
}
