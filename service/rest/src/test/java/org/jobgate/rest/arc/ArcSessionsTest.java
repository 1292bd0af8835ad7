// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;

class ArcSessionsTest extends ArcRoom {

    static final String WITH_FILES = adl(
            "<Executable><Path>run.sh</Path></Executable><Output>out.txt</Output><Error>err.txt</Error>",
            "<InputFile><Name>run.sh</Name><IsExecutable>true</IsExecutable></InputFile>"
                    + "<InputFile><Name>data/in.txt</Name></InputFile><OutputFile><Name>out.txt</Name></OutputFile>");

    static String session(JobId id, String path) {
        return "/jobs/" + id + "/session/" + path;
    }

    @Test
    void aJobGoesOnWhenTheLastFileIsWhole() throws Exception {
        JobId id = submit(WITH_FILES);
        await().until(() -> state(id).equals("PREPARING"));
        assertThat(ask("PUT", session(id, "data/in.txt"), "abc").statusCode()).isEqualTo(200);
        assertThat(ask("PUT", session(id, "run.sh"), "#!/bin", "Content-Range", "bytes 0-5/10")
                        .statusCode())
                .isEqualTo(200);
        assertThat(lrm.knows(id)).isFalse();
        await().until(() -> state(id).equals("PREPARING"));
        assertThat(ask("GET", "/jobs/" + id + "/diagnose/input_status", "").body())
                .isEqualTo("/data/in.txt\n");
        assertThat(ask("PUT", session(id, "run.sh"), "/sh\n", "Content-Range", "bytes 6-9/10")
                        .statusCode())
                .isEqualTo(200);
        await().until(() -> lrm.knows(id));
        Path program = sessions().resolve(id.toString()).resolve("run.sh");
        assertThat(Files.readString(program)).isEqualTo("#!/bin/sh\n");
        assertThat(Files.isExecutable(program)).isTrue();
        assertThat(lrm.descriptionOf(id).directory())
                .isEqualTo(sessions().resolve(id.toString()).toString());
    }

    @Test
    void afterARestartHalfAFileIsNoneAndTheRestIsKnown() throws Exception {
        JobId id = submit(WITH_FILES);
        ask("PUT", session(id, "data/in.txt"), "abc");
        ask("PUT", session(id, "run.sh"), "#!/bin", "Content-Range", "bytes 0-5/10");
        restart();
        assertThat(lrm.knows(id)).isFalse();
        await().until(() -> state(id).equals("PREPARING"));
        ask("PUT", session(id, "run.sh"), "#!/bin/sh\n");
        await().until(() -> lrm.knows(id));
    }

    @Test
    void filesThatWereAllThereWhenTheServiceWentDownLetTheJobGoOn() throws Exception {
        JobId id = submit(WITH_FILES);
        Path directory = sessions().resolve(id.toString());
        Files.createDirectories(directory.resolve("data"));
        Files.writeString(directory.resolve("data/in.txt"), "abc");
        Files.writeString(directory.resolve("run.sh"), "#!/bin/sh\n");
        restart();
        await().until(() -> lrm.knows(id));
    }

    @Test
    void filesAreReadListedAndRemoved() throws Exception {
        JobId id = submit(WITH_FILES);
        ask("PUT", session(id, "data/in%20put"), "0123456789");
        HttpResponse<String> part = ask("GET", session(id, "data/in%20put"), "", "Range", "bytes=2-4");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("234");
        assertThat(ask("GET", session(id, ""), "", "Accept", "application/json").body())
                .isEqualTo("{\"file\":[],\"dir\":[\"data\"]}");
        assertThat(ask("GET", session(id, "data"), "", "Accept", "text/xml").body())
                .contains("<file size=\"10\">in put</file>");
        HttpResponse<String> found = ask("PROPFIND", "/jobs/" + id + "/session", "", "Depth", "infinity");
        assertThat(found.statusCode()).isEqualTo(200);
        assertThat(found.body())
                .contains("/jobs/" + id + "/session/data/in%20put</d:href>", "<d:getcontentlength>10<")
                .contains("<d:collection/>");
        assertThat(ask("PROPFIND", session(id, "data/in%20put"), "", "Depth", "0")
                        .body())
                .contains("<d:displayname>in put<")
                .doesNotContain("<d:collection/>");
        assertThat(ask("DELETE", session(id, "data/in%20put"), "").statusCode()).isEqualTo(204);
        assertThat(ask("DELETE", session(id, "data/in%20put"), "").statusCode()).isEqualTo(404);
        assertThat(ask("PROPFIND", session(id, "nothing"), "", "Depth", "0").statusCode())
                .isEqualTo(404);
    }

    @Test
    void aJobWaitsAgainForWhatWasRemovedWithItsDirectory() throws Exception {
        JobId id = submit(WITH_FILES);
        ask("PUT", session(id, "data/in.txt"), "abc");
        assertThat(ask("DELETE", session(id, "data"), "").statusCode()).isEqualTo(204);
        ask("PUT", session(id, "run.sh"), "#!/bin/sh\n");
        await().until(() -> state(id).equals("PREPARING"));
        ask("PUT", session(id, "data/in.txt"), "abc");
        await().until(() -> lrm.knows(id));
    }

    @Test
    void aFileThatWasRemovedDoesNotCountAgainstTheLimit() throws Exception {
        JobId id = submit(WITH_FILES);
        for (int i = 0; i < 11; i++) {
            assertThat(ask("PUT", session(id, "file" + i), "x").statusCode()).isEqualTo(200);
            assertThat(ask("DELETE", session(id, "file" + i), "").statusCode()).isEqualTo(204);
        }
    }

    @Test
    void noWayLeadsOutOfTheSession() throws Exception {
        JobId id = submit(WITH_FILES);
        Path directory = sessions().resolve(id.toString());
        Files.writeString(sessions().resolve("secret"), "secret");
        Files.createSymbolicLink(directory.resolve("link"), sessions().resolve("secret"));
        assertThat(ask("GET", session(id, "%2e%2e/secret"), "").statusCode()).isEqualTo(400);
        assertThat(ask("GET", session(id, "a%2f..%2fsecret"), "").statusCode()).isEqualTo(400);
        assertThat(ask("GET", session(id, "link"), "").statusCode()).isEqualTo(409);
        assertThat(ask("PUT", session(id, "link"), "x").statusCode()).isEqualTo(409);
        assertThat(ask("GET", session(id, ""), "", "Accept", "text/xml").body()).doesNotContain("link");
        assertThat(Files.readString(sessions().resolve("secret"))).isEqualTo("secret");
        assertThat(askAs(BOB, "GET", "/1.0" + session(id, ""), "").statusCode()).isEqualTo(404);
    }

    @Test
    void theOutputOfAJobThatNeverRanIsEmptyAndNotMissing() throws Exception {
        JobId id = submit(WITH_FILES);
        assertThat(ask("GET", session(id, "out.txt"), "").statusCode()).isEqualTo(404);
        act("kill", id);
        await().until(() -> state(id).equals("KILLED"));
        HttpResponse<String> out = ask("GET", session(id, "out.txt"), "");
        assertThat(out.statusCode()).isEqualTo(200);
        assertThat(out.body()).isEmpty();
        assertThat(ask("GET", session(id, "err.txt"), "").statusCode()).isEqualTo(200);
        assertThat(ask("GET", session(id, "other.txt"), "").statusCode()).isEqualTo(404);
        assertThat(ask("PUT", session(id, "run.sh"), "x").statusCode()).isEqualTo(409);
    }

    /** A network file system can show it later than the end of the job. */
    @Test
    void theOutputOfAJobThatRanIsMissingAndNotEmptyWhileItIsNotThere() throws Exception {
        JobId id = submit(WITH_FILES);
        ask("PUT", session(id, "run.sh"), "x");
        ask("PUT", session(id, "data/in.txt"), "x");
        await().until(() -> lrm.knows(id));
        lrm.start(id);
        lrm.end(id, 0);
        await().until(() -> state(id).equals("FINISHED"));
        assertThat(ask("GET", session(id, "out.txt"), "").statusCode()).isEqualTo(404);
        Files.writeString(sessions().resolve(id.toString()).resolve("out.txt"), "result");
        assertThat(ask("GET", session(id, "out.txt"), "").body()).isEqualTo("result");
    }

    @Test
    void aRefusedJobLeavesNoDirectory() throws Exception {
        engine.drain();
        assertThat(json("POST", "/jobs?action=new", WITH_FILES)
                        .get("job")
                        .get(0)
                        .get("status-code")
                        .asString())
                .isEqualTo("503");
        assertThat(DiskFiles.names(sessions())).isEmpty();
    }
}
