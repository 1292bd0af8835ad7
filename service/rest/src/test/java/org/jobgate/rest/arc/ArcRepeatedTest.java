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
        submit(KEYED);
        for (String directory : DiskFiles.names(sessions())) {
            assertThat(sessions().resolve(directory).resolve("run.sh")).doesNotExist();
        }
    }
}
