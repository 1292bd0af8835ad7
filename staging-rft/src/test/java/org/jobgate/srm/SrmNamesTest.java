// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.srm.SrmRoom.NOBODY;
import static org.jobgate.srm.SrmRoom.code;
import static org.jobgate.srm.SrmRoom.fileCode;
import static org.jobgate.srm.SrmRoom.surls;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import org.jobgate.soap.Answer;
import org.jobgate.soap.SoapServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients do with names, asked over HTTP. */
class SrmNamesTest {

    @TempDir
    Path folder;

    private SrmRoom room;

    @BeforeEach
    void open() throws Exception {
        room = new SrmRoom(folder);
    }

    @AfterEach
    void close() throws Exception {
        room.close();
    }

    @Test
    void pingTellsTheVersionAndWhoTheClientIs() {
        Answer answer = room.ask("srmPing", "");
        assertThat(answer.one("versionInfo")).isEqualTo("v2.2");
        assertThat(answer.all("value")).contains("Jobgate", "1.0", SrmRoom.ALICE, "account", "gsiftp,https");
        Answer anonymous = SrmRoom.checked("srmPing", room.server.post("v2/server", SrmRoom.envelope("srmPing", "")));
        assertThat(anonymous.all("key")).containsExactly("backend_type", "backend_version");
        assertThat(room.ask(NOBODY, "srmPing", "").all("key")).doesNotContain("localID");
    }

    @Test
    void whoMayNotIsToldSoInTheReply() {
        Answer nobody = room.ask(NOBODY, "srmLs", surls("/work"));
        assertThat(code(nobody)).isEqualTo("SRM_AUTHORIZATION_FAILURE");
        assertThat(nobody.one("explanation")).contains("nobody may");
        Answer anonymous =
                SrmRoom.checked("srmLs", room.server.post("managerv2", SrmRoom.envelope("srmLs", surls("/work"))));
        assertThat(code(anonymous)).isEqualTo("SRM_AUTHENTICATION_FAILURE");
    }

    @Test
    void everyOperationIsAnsweredInItsOwnForm() {
        assertThat(Wsdl.operations()).hasSize(39);
        for (String operation : Wsdl.operations()) {
            Answer answer = room.ask(operation, "");
            if (!operation.equals("srmPing")) {
                assertThat(code(answer)).as(operation).matches("SRM_(INVALID_REQUEST|NOT_SUPPORTED|SUCCESS)");
            }
        }
        assertThat(room.ask("srmPurgeFromSpace", "").one("explanation")).contains("one copy of each file");
    }

    @Test
    void anUnknownOperationIsAFaultOfTheClient() {
        assertThat(room.server
                        .post("managerv2", SrmRoom.envelope("srmDance", ""))
                        .clientFault())
                .contains("There is no operation")
                .contains("srmDance");
    }

    @Test
    void aDirectoryIsListedWithWhatThereIsToKnow() throws Exception {
        Files.writeString(room.work().resolve("a b.txt"), "hello\n");
        Files.createDirectory(room.work().resolve("sub"));
        Answer plain = room.ask("srmLs", surls("/work"));
        assertThat(code(plain)).isEqualTo("SRM_SUCCESS");
        assertThat(plain.all("path")).containsExactly("/work", "/work/a b.txt", "/work/sub");
        assertThat(plain.all("type")).containsExactly("DIRECTORY", "FILE", "DIRECTORY");
        assertThat(plain.all("size")).containsExactly("0", "6", "0");
        assertThat(plain.all("ownerPermission")).isEmpty();
        Answer full = room.ask(
                "srmLs",
                surls("/work/a b.txt") + "<fullDetailedList>true</fullDetailedList><numOfLevels>0</numOfLevels>");
        assertThat(full.all("path")).containsExactly("/work/a b.txt");
        assertThat(full.one("checkSumType")).isEqualTo("adler32");
        assertThat(full.one("checkSumValue")).isEqualTo("084b021f");
        assertThat(full.one("fileLocality")).isEqualTo("ONLINE");
        assertThat(full.one("userID")).isEqualTo("account");
        assertThat(full.one("lastModificationTime")).endsWith("Z");
    }

    @Test
    void levelsAreListedAsDeepAsIsAskedFor() throws Exception {
        Files.createDirectories(room.work().resolve("a/b/c"));
        Files.writeString(room.work().resolve("a/b/f"), "");
        assertThat(room.ask("srmLs", surls("/work") + "<numOfLevels>0</numOfLevels>")
                        .all("path"))
                .containsExactly("/work");
        assertThat(room.ask("srmLs", surls("/work") + "<numOfLevels>2</numOfLevels>")
                        .all("path"))
                .containsExactly("/work", "/work/a", "/work/a/b");
        assertThat(room.ask("srmLs", surls("/work") + "<allLevelRecursive>true</allLevelRecursive>")
                        .all("path"))
                .containsExactly("/work", "/work/a", "/work/a/b", "/work/a/b/c", "/work/a/b/f");
        assertThat(room.ask("srmLs", surls("/")).all("path")).containsExactly("/", "/work", "/data");
    }

    @Test
    void severalPathsAreToldEachByItself() throws Exception {
        Files.writeString(room.work().resolve("f"), "1");
        Answer answer = room.ask("srmLs", surls("/work/f", "/work/none", "/nowhere/f", "?SFN=/work/f"));
        assertThat(answer.all("statusCode"))
                .containsExactly(
                        "SRM_PARTIAL_SUCCESS",
                        "SRM_SUCCESS",
                        "SRM_INVALID_PATH",
                        "SRM_INVALID_PATH",
                        "SRM_INVALID_PATH");
        Answer full = room.ask("srmLs", surls("/srm/v2/server?SFN=/work/f", ":8443/srm/managerv2?SFN=/work/f"));
        assertThat(full.all("path")).containsExactly("/work/f", "/work/f");
        assertThat(code(room.ask("srmLs", surls("/work/none")))).isEqualTo("SRM_FAILURE");
        String many = surls(IntStream.range(0, 21).mapToObj(i -> "/work/" + i).toArray(String[]::new));
        assertThat(room.ask("srmLs", many).one("explanation")).contains("srm.maxPaths = 20");
    }

    @Test
    void aLargeDirectoryIsCutAndGoneOnWith() throws Exception {
        for (int i = 0; i < 60; i++) {
            Files.writeString(room.work().resolve("f%02d".formatted(i)), "");
        }
        Answer cut = room.ask("srmLs", surls("/work"));
        assertThat(code(cut)).isEqualTo("SRM_TOO_MANY_RESULTS");
        assertThat(cut.all("path")).hasSize(51);
        assertThat(cut.all("explanation").getFirst()).contains("srm.maxListedEntries = 50");
        List<String> seen = new java.util.ArrayList<>();
        for (int offset = 0; offset < 60; offset += 25) {
            Answer part = room.ask("srmLs", surls("/work") + "<offset>" + offset + "</offset><count>25</count>");
            assertThat(code(part)).isEqualTo("SRM_SUCCESS");
            seen.addAll(part.all("path").subList(1, part.all("path").size()));
        }
        assertThat(seen)
                .containsExactlyElementsOf(IntStream.range(0, 60)
                        .mapToObj("/work/f%02d"::formatted)
                        .toList());
        // without the pages before
        assertThat(room.ask("srmLs", surls("/work") + "<offset>58</offset><count>9</count>")
                        .all("path"))
                .containsExactly("/work", "/work/f58", "/work/f59");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/work/../data",
                "/work//f",
                "/work/%2e%2e/x",
                "/work/%2E/x",
                "/work/a%2fb",
                "/work/a%00b",
                "/work/.",
                "/work/%zz",
                "/work/.srm-put-x",
                "?x=/work",
                "?SFN=work"
            })
    void aNameThatCannotBeIsAnInvalidPath(String path) {
        for (String operation : List.of("srmMkdir", "srmRmdir")) {
            assertThat(code(room.ask(operation, "<SURL>srm://localhost" + path + "</SURL>")))
                    .isEqualTo("SRM_INVALID_PATH");
        }
        assertThat(fileCode(room.ask("srmLs", surls(path)))).isEqualTo("SRM_INVALID_PATH");
        assertThat(fileCode(room.ask("srmRm", surls(path)))).isEqualTo("SRM_INVALID_PATH");
    }

    @Test
    void longNamesAreRefused() {
        assertThat(room.ask("srmLs", surls("/work/" + "a/".repeat(5_000)))
                        .text()
                        .length())
                .isLessThan(3_000);
        assertThat(fileCode(room.ask("srmLs", surls("/work/" + "a".repeat(256)))))
                .isEqualTo("SRM_INVALID_PATH");
        assertThat(fileCode(room.ask("srmLs", surls("/work" + "/a".repeat(65)))))
                .isEqualTo("SRM_INVALID_PATH");
        assertThat(code(room.ask("srmMkdir", "<SURL>http://localhost/work/a</SURL>")))
                .isEqualTo("SRM_INVALID_PATH");
    }

    /** Before anything is looked at, and nothing is left of it: the next request is answered. */
    @Test
    void aHundredThousandPathsAndADepthBombAreRefusedWhole() {
        String many =
                surls(IntStream.range(0, 100_000).mapToObj(i -> "/work/" + i).toArray(String[]::new));
        String deep = "<a>".repeat(20_000) + "</a>".repeat(20_000);
        for (String bomb : List.of(many, deep)) {
            Answer refused =
                    room.server.post("managerv2", SrmRoom.envelope("srmLs", bomb), SoapServer.SUBJECT, SrmRoom.ALICE);
            assertThat(refused.status()).isIn(413, 500);
            assertThat(refused.text().length()).isLessThan(3_000);
        }
        assertThat(code(room.ask("srmLs", surls("/work")))).isEqualTo("SRM_SUCCESS");
    }

    @Test
    void namesOfAllKindsGoThereAndBack() throws Exception {
        for (String name : List.of("ä ü", "100%", "a?b", "#x", "a&b<c>")) {
            Path file = Files.writeString(room.work().resolve(name), "");
            String path = room.ask("srmLs", surls("/work")).all("path").get(1);
            String xml = path.replace("&", "&amp;").replace("<", "&lt;");
            assertThat(code(room.ask("srmRm", surls(xml)))).as(path).isEqualTo("SRM_SUCCESS");
            assertThat(file).doesNotExist();
        }
    }

    /** What entries have in common is made once; a large listing is written in pieces. */
    @Test
    void eachEntryIsToldWithItsOwnDetails() throws Exception {
        try (SrmRoom large = new SrmRoom(folder.resolve("large"), 500)) {
            for (int i = 0; i < 100; i++) {
                Path file = Files.writeString(large.work().resolve("f%03d".formatted(i)), "x".repeat(i));
                Files.setPosixFilePermissions(
                        file, PosixFilePermissions.fromString(i % 3 == 0 ? "rw-r-----" : "r-xr-xr-x"));
                Files.createDirectories(large.work().resolve("f%03d.d/in".formatted(i)));
            }
            Answer answer = large.ask(
                    "srmLs", surls("/work") + "<fullDetailedList>true</fullDetailedList><numOfLevels>2</numOfLevels>");
            assertThat(code(answer)).isEqualTo("SRM_SUCCESS");
            assertThat(answer.all("path")).hasSize(301).contains("/work/f007", "/work/f007.d", "/work/f007.d/in");
            for (int i = 0; i < 100; i++) {
                assertThat(answer.all("size").get(1 + 3 * i)).isEqualTo(Integer.toString(i));
                assertThat(answer.all("type").subList(1 + 3 * i, 4 + 3 * i))
                        .containsExactly("FILE", "DIRECTORY", "DIRECTORY");
                assertThat(answer.all("otherPermission").get(1 + 3 * i)).isEqualTo(i % 3 == 0 ? "NONE" : "RX");
            }
        }
    }

    /** Where a page ended is no place to begin the first page at: names come before those of files that are put. */
    @Test
    void aNameThatComesBeforeThoseOfFilesThatArePutIsListed() throws Exception {
        Path inner = Files.createDirectories(room.work().resolve("outer/inner"));
        Files.writeString(inner.resolve(".srm-put-1"), "1");
        assertThat(room.ask("srmLs", surls("/work/outer") + "<numOfLevels>2</numOfLevels>")
                        .all("path"))
                .containsExactly("/work/outer", "/work/outer/inner");
        Files.writeString(inner.resolve("+a"), "1");

        assertThat(room.ask("srmLs", surls("/work/outer") + "<numOfLevels>2</numOfLevels>")
                        .all("path"))
                .containsExactly("/work/outer", "/work/outer/inner", "/work/outer/inner/+a");
    }

    /** The account answers for its worker: a listing ends whatever it says. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(300)
    void aListingWithoutAnEndIsRefused(boolean isEmpty) throws Exception {
        Files.createDirectories(room.work().resolve("endless"));
        room.trees.endless = isEmpty ? List.of() : List.of(".srm-put-1", ".srm-put-2");

        for (String how : List.of("<numOfLevels>1</numOfLevels>", "<offset>2000000000</offset><count>1</count>")) {
            Answer answer = room.ask("srmLs", surls("/work/endless") + how);
            assertThat(code(answer)).as(how).isEqualTo("SRM_FAILURE");
            assertThat(answer.all("explanation").getLast()).as(how).contains("does not end");
        }
    }

    @Test
    void directoriesAreMadeAndRemoved() throws Exception {
        assertThat(code(room.ask("srmMkdir", "<SURL>srm://h/work/a/b</SURL>"))).isEqualTo("SRM_INVALID_PATH");
        assertThat(code(room.ask("srmMkdir", "<SURL>srm://h/work/a</SURL>"))).isEqualTo("SRM_SUCCESS");
        assertThat(code(room.ask("srmMkdir", "<SURL>srm://h/work/a</SURL>"))).isEqualTo("SRM_DUPLICATION_ERROR");
        assertThat(code(room.ask("srmMkdir", "<SURL>srm://h/data/a</SURL>"))).isEqualTo("SRM_AUTHORIZATION_FAILURE");
        Files.writeString(room.work().resolve("a/f"), "");
        assertThat(code(room.ask("srmRmdir", "<SURL>srm://h/work/a</SURL>"))).isEqualTo("SRM_NON_EMPTY_DIRECTORY");
        assertThat(code(room.ask("srmRmdir", "<SURL>srm://h/work/a/f</SURL>"))).isEqualTo("SRM_INVALID_PATH");
        assertThat(code(room.ask("srmRmdir", "<SURL>srm://h/work</SURL><recursive>true</recursive>")))
                .isEqualTo("SRM_AUTHORIZATION_FAILURE");
        assertThat(code(room.ask("srmRmdir", "<SURL>srm://h/work/a</SURL><recursive>1</recursive>")))
                .isEqualTo("SRM_SUCCESS");
        assertThat(room.work().resolve("a")).doesNotExist();
    }

    @Test
    void filesAreRemovedAndMoved() throws Exception {
        Files.writeString(room.work().resolve("f"), "1");
        Files.createDirectory(room.work().resolve("d"));
        Answer removed = room.ask("srmRm", surls("/work/f", "/work/d", "/work/none"));
        assertThat(removed.all("statusCode"))
                .containsExactly("SRM_PARTIAL_SUCCESS", "SRM_SUCCESS", "SRM_INVALID_PATH", "SRM_INVALID_PATH");
        Files.writeString(room.work().resolve("f"), "1");
        assertThat(code(move("/work/f", "/work/d"))).isEqualTo("SRM_DUPLICATION_ERROR");
        assertThat(code(move("/work/f", "/data/f"))).isEqualTo("SRM_NOT_SUPPORTED");
        assertThat(code(move("/work/f", "/work/d/g"))).isEqualTo("SRM_SUCCESS");
        assertThat(code(move("/work/f", "/work/d/h"))).isEqualTo("SRM_INVALID_PATH");
        assertThat(room.work().resolve("d/g")).hasContent("1");
    }

    private Answer move(String from, String to) {
        return room.ask("srmMv", "<fromSURL>srm://h" + from + "</fromSURL><toSURL>srm://h" + to + "</toSURL>");
    }

    @Test
    void permissionsAreThoseOfPosix() throws Exception {
        Path file = Files.writeString(room.work().resolve("f"), "1");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Answer got = room.ask("srmGetPermission", surls("/work/f", "/work/none"));
        assertThat(code(got)).isEqualTo("SRM_PARTIAL_SUCCESS");
        assertThat(got.one("ownerPermission")).isEqualTo("RW");
        assertThat(got.one("mode")).isEqualTo("R");
        assertThat(got.one("otherPermission")).isEqualTo("NONE");
        assertThat(room.ask("srmCheckPermission", surls("/work/f")).one("permission"))
                .isEqualTo("RW");
        String change = "<SURL>srm://h/work/f</SURL><permissionType>%s</permissionType>";
        assertThat(code(room.ask(
                        "srmSetPermission",
                        change.formatted("ADD") + "<ownerPermission>X</ownerPermission><otherPermission>RX"
                                + "</otherPermission>")))
                .isEqualTo("SRM_SUCCESS");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwxr--r-x");
        assertThat(code(room.ask(
                        "srmSetPermission",
                        change.formatted("CHANGE") + "<arrayOfGroupPermissions><groupPermissionArray><groupID>users"
                                + "</groupID><mode>NONE</mode></groupPermissionArray></arrayOfGroupPermissions>")))
                .isEqualTo("SRM_SUCCESS");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwx---r-x");
        assertThat(code(room.ask("srmSetPermission", change.formatted("ADD") + "<ownerPermission>Q</ownerPermission>")))
                .isEqualTo("SRM_INVALID_REQUEST");
    }

    @Test
    void spacesAreTheTrees() {
        assertThat(room.ask("srmGetSpaceTokens", "").all("stringArray")).containsExactly("work", "data");
        Answer spaces = room.ask(
                "srmGetSpaceMetaData",
                "<arrayOfSpaceTokens><stringArray>work</stringArray><stringArray>x</stringArray></arrayOfSpaceTokens>");
        assertThat(code(spaces)).isEqualTo("SRM_PARTIAL_SUCCESS");
        assertThat(spaces.one("totalSize")).isEqualTo("1000");
        assertThat(spaces.one("unusedSize")).isEqualTo("400");
    }

    @Test
    void anAccountThatDoesNotAnswerIsTold() {
        room.trees.isDown = true;
        Answer answer = room.ask("srmLs", surls("/work"));
        assertThat(fileCode(answer)).isEqualTo("SRM_INTERNAL_ERROR");
        assertThat(answer.all("explanation").getFirst()).contains("Try again");
    }

    /** ARC's client says no character set; XML is UTF-8 then. */
    @Test
    void aRequestWithoutACharacterSetIsUtf8AndSoIsItsAnswer() throws Exception {
        Files.writeString(room.work().resolve("ä"), "");
        HttpResponse<String> answer;
        try (HttpClient client = HttpClient.newHttpClient()) {
            answer = client.send(
                    HttpRequest.newBuilder(URI.create(room.server.baseUrl() + "/managerv2"))
                            .header("Content-Type", "text/xml")
                            .header(org.jobgate.soap.SoapServer.SUBJECT, SrmRoom.ALICE)
                            .POST(HttpRequest.BodyPublishers.ofString(SrmRoom.envelope("srmLs", surls("/work/ä"))))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
        assertThat(answer.body()).contains("<path>/work/ä</path>");
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
                .isEqualToIgnoringCase("text/xml;charset=utf-8");
    }

    /** Styles of clients: types said or not, nil, parts without a wrapper, arrays by reference (refused). */
    @Test
    void lenientAndEncodedRequestsAreRead() {
        String types = " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns:t='" + SrmService.NAMESPACE + "'";
        Answer typed = room.ask(
                "srmLs",
                "<arrayOfSURLs xsi:type='t:ArrayOfAnyURI'" + types + "><urlArray>srm://h/work</urlArray></arrayOfSURLs>"
                        + "<storageSystemInfo xsi:nil='true'" + types + "/><numOfLevels xsi:nil='1'" + types + "/>");
        assertThat(code(typed)).isEqualTo("SRM_SUCCESS");
        String bare = SrmRoom.envelope("srmPing", "").replaceAll("</?srmPingRequest>", "");
        assertThat(room.server.post("managerv2", bare).one("versionInfo")).isEqualTo("v2.2");
        assertThat(room.ask("srmLs", "<arrayOfSURLs href='#id0'/>").one("explanation"))
                .contains("refers to another one (href)");
        assertThat(room.ask("srmLs", surls("/work") + "<numOfLevels>x</numOfLevels>")
                        .one("explanation"))
                .contains("numOfLevels is 'x'");
    }
}
