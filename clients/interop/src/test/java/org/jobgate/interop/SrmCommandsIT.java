// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands srm-* before a gateway with a tree, of which one answer lists 20 entries, and parts are closed. */
class SrmCommandsIT {

    @TempDir
    static Path exported;

    @TempDir
    Path folder;

    private static Gateway gateway;
    private static SrmPrograms programs;

    @BeforeAll
    static void start() throws Exception {
        gateway = Gateway.startWith(
                ("fileTrees: [ { name: work, path: \"%s\", writable: true, blocked: [ closed, in/closed ], readOnly: [ archive ] } ]%n"
                                + "srm: { maxListedEntries: 20 }%n")
                        .formatted(exported));
        programs = new SrmPrograms(gateway);
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    private static String url(String path) {
        return programs.url("/work" + path);
    }

    private static Programs.Result run(String command, String... words) throws Exception {
        return programs.run("srm-" + command, words);
    }

    private static String good(String command, String... words) throws Exception {
        return programs.good("srm-" + command, words);
    }

    private static void refused(String code, String command, String... words) throws Exception {
        programs.refused(code, "srm-" + command, words);
    }

    private Path file(String name, int size) throws Exception {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return Files.write(folder.resolve(name), content);
    }

    @Test
    void theServiceTellsWhatItIs() throws Exception {
        String service = "srm://localhost:" + gateway.port() + "/srm/v2/server";
        assertThat(good("ping", service)).contains("versionInfo=v2.2", "backend_type=Jobgate", "clientDN=");
        assertThat(good("transferprotocols", service)).contains("https");
        assertThat(good("sp-tokens", service).strip()).isEqualTo("work");
        assertThat(good("sp-info", "-spacetoken", "work", service)).contains("totalSize=", "unusedSize=");
        refused("SRM_", "sp-info", "-spacetoken", "none", service);
    }

    /** A file of several pieces, there and back, and all that can be done with its name. */
    @Test
    void filesAreBroughtFetchedMovedAndRemoved() throws Exception {
        Path file = file("data", 9 << 20);
        good("mkdir", url("/a"));
        assertThat(good("put", file.toString(), url("/a/"))).contains("brought: 9437184 bytes");
        assertThat(Files.mismatch(exported.resolve("a/data"), file)).isEqualTo(-1);
        assertThat(good("ls", url("/a")).strip()).isEqualTo("/work/a/data");
        assertThat(good("ls", "-l", url("/a/data")))
                .matches("(?s)-rw.*9437184 20.*/work/a/data  adler32:[0-9a-f]{8}\\s*");
        assertThat(good("permission-check", url("/a/data"))).contains("RW");
        refused("SRM_DUPLICATION_ERROR", "put", file.toString(), url("/a/data"));
        good("put", "-overwrite", file.toString(), url("/a/data"));
        good("get", url("/a/data"), folder.resolve("back").toString());
        assertThat(Files.mismatch(folder.resolve("back"), file)).isEqualTo(-1);
        good("mv", url("/a/data"), url("/a/b"));
        good("copy", url("/a/b"), url("/a/c"));
        assertThat(Files.mismatch(exported.resolve("a/c"), file)).isEqualTo(-1);
        refused("SRM_NON_EMPTY_DIRECTORY", "rmdir", url("/a"));
        refused("SRM_INVALID_PATH", "rm", url("/a/b"), url("/a/none"));
        assertThat(exported.resolve("a/b")).doesNotExist();
        good("rmdir", "-recursive", url("/a"));
        assertThat(exported.resolve("a")).doesNotExist();
        refused("SRM_INVALID_PATH", "get", url("/a/b"), folder.resolve("none").toString());
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void directoriesAreCopiedWithAllThatIsInThem() throws Exception {
        Path top = Files.createDirectories(folder.resolve("top/in ner"));
        Files.writeString(top.resolve("50%?#"), "odd");
        Files.writeString(folder.resolve("top/empty"), "");
        assertThat(run("copy", folder.resolve("top").toString(), url("/many/")).output())
                .contains("-recursive");
        good("mkdir", url("/many"));
        good("copy", "-recursive", "file://" + folder.resolve("top"), url("/many/"));
        assertThat(exported.resolve("many/top/in ner/50%?#")).hasContent("odd");
        assertThat(exported.resolve("many/top/empty")).isEmptyFile();
        good("copy", "-recursive", url("/many"), "file://" + folder.resolve("got"));
        assertThat(folder.resolve("got/top/in ner/50%?#")).hasContent("odd");
    }

    @Test
    void aLinkToADirectoryIsFollowedButNotRoundAndRound() throws Exception {
        Path top = Files.createDirectories(folder.resolve("linked/part"));
        Files.writeString(Files.createDirectory(folder.resolve("elsewhere")).resolve("data"), "far");
        Files.createSymbolicLink(folder.resolve("linked/away"), folder.resolve("elsewhere"));
        good("copy", "-recursive", "file://" + folder.resolve("linked"), url("/linked"));
        assertThat(exported.resolve("linked/away/data")).hasContent("far");
        Files.createSymbolicLink(top.resolve("round"), folder.resolve("linked"));
        Programs.Result refused = run("copy", "-recursive", "file://" + folder.resolve("linked"), url("/round"));
        assertThat(refused.status()).isNotZero();
        assertThat(refused.output()).contains(top.resolve("round").toString(), "would never end");
    }

    private static String status(String... words) throws Exception {
        List<String> curl = programs.curl("-o", "/dev/null", "-w", "%{http_code}");
        curl.addAll(List.of(words));
        return gateway.clients().runWell(curl);
    }

    /** By SRM and by https; what else could lead there is tried without a gateway, by treerules.t. */
    @Test
    void whatTheSiteHasClosedIsClosedAtEveryDoor() throws Exception {
        String content = "https://localhost:" + gateway.port() + "/api/v1/trees/work/content";
        String code = "SRM_AUTHORIZATION_FAILURE";
        Path file = file("small", 10);
        for (String directory : List.of("closed", "in/closed", "archive", "open")) {
            Files.write(Files.createDirectories(exported.resolve(directory)).resolve("f"), new byte[10]);
        }
        Files.createSymbolicLink(exported.resolve("open/link"), exported.resolve("closed"));
        for (String path : List.of("/closed/f", "/in/closed/f", "/open/link/f")) {
            refused(code, "get", url(path), folder.resolve("got").toString());
            refused(code, "put", "-overwrite", file.toString(), url(path));
            assertThat(status(content + path)).as(path).isEqualTo("403");
            assertThat(status("-T", file.toString(), content + path)).as(path).isEqualTo("403");
            assertThat(status("-X", "DELETE", content + path)).as(path).isEqualTo("403");
        }
        String closed = url("/open/link/f");
        refused(code, "copy", closed, url("/open/copy"));
        refused(code, "copy", url("/open/f"), closed);
        refused(code, "rm", closed);
        refused(code, "mv", closed, url("/open/moved"));
        refused(code, "mv", url("/in"), url("/out"));
        refused(code, "rmdir", "-recursive", url("/in"));
        assertThat(good("ls", url("/in")).strip()).isEmpty();
        assertThat(good("ls", url("")).lines().map(String::strip))
                .contains("/work/in/")
                .doesNotContain("/work/closed/");

        good("get", url("/archive/f"), folder.resolve("read").toString());
        for (String path : List.of("/archive/f", "/archive/new")) {
            refused(code, "put", "-overwrite", file.toString(), url(path));
            refused(code, "copy", "-overwrite", url("/open/f"), url(path));
            assertThat(status("-T", file.toString(), content + path)).as(path).isEqualTo("403");
        }
        refused(code, "rm", url("/archive/f"));
        good("put", file.toString(), url("/open/new"));
        assertThat(folder.resolve("got")).doesNotExist();
        assertThat(exported.resolve("open")).isDirectoryNotContaining("glob:**{copy,moved}");
        assertThat(exported.resolve("closed/f")).hasSize(10);
        assertThat(exported.resolve("archive")).isDirectoryNotContaining("glob:**new");
    }

    @Test
    void aDirectoryLargerThanOneAnswerIsListedWhole() throws Exception {
        Path many = Files.createDirectory(exported.resolve("large"));
        for (int i = 0; i < 55; i++) {
            Files.writeString(many.resolve("f" + i), "");
        }
        assertThat(good("ls", url("/large")).strip().lines()).hasSize(55).doesNotHaveDuplicates();
        assertThat(good("ls", "-offset", "50", url("/large")).strip().lines()).hasSize(5);
        assertThat(good("ls", "-count", "3", url("/large")).strip().lines()).hasSize(3);
    }
}
