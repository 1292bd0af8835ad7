// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.wire.HttpReply;
import org.jobgate.perf.wire.HttpsConnection;
import org.jobgate.perf.wire.RefusedException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Directories that are listed: the call of the BeStMan study, srmLs with all details, and what a listing must have in it. */
final class Listed {

    private static final String PATH = "/srm/v2/server";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final int FILE_BYTES = 100;

    /** What the service admits at once of requests for files: all clients of the study; its default is 512. */
    static final int READERS = 6_000;

    private Listed() {}

    /** In the directory one for each of these numbers, with so many files. */
    static Path makeFiles(Path listed, List<Integer> numbers) throws IOException {
        for (int number : numbers) {
            Path directory = Files.createDirectories(listed.resolve(Integer.toString(number)));
            for (int i = 0; i < number; i++) {
                Files.write(directory.resolve(String.format(Locale.ROOT, "file-%05d.dat", i)), new byte[FILE_BYTES]);
            }
        }
        return Files.createDirectories(listed);
    }

    /** The message for a directory, which is named as in a SURL. */
    static String request(String directory) {
        return "<S:Envelope xmlns:S=\"http://schemas.xmlsoap.org/soap/envelope/\"><S:Body>"
                + "<s:srmLs xmlns:s=\"http://srm.lbl.gov/StorageResourceManager\"><srmLsRequest><arrayOfSURLs><urlArray>"
                + "srm://localhost" + directory + "</urlArray></arrayOfSURLs><fullDetailedList>true</fullDetailedList>"
                + "<numOfLevels>1</numOfLevels></srmLsRequest></s:srmLs></S:Body></S:Envelope>";
    }

    /** Sends it; what is no success is a refusal. */
    static void ask(HttpsConnection connection, String request) throws IOException, RefusedException {
        HttpReply reply = connection.post(PATH, "", request);
        String body = reply.body();
        if (reply.status() != 200 || !body.contains("<returnStatus><statusCode>SRM_SUCCESS<")) {
            throw new RefusedException(reply.status(), reply.body());
        }
    }

    /** Makes sure that all files are listed: what is measured is the work and not its refusal. */
    static void checkSrm(HttpsConnection connection, String directory, int files) throws IOException {
        try (connection) {
            HttpReply reply = connection.post(PATH, "", request(directory));
            int found = reply.body().split("<pathDetailArray>", -1).length - 2;
            if (found != files) {
                throw new IOException("srmLs of " + directory + " has " + found + " of " + files
                        + " files (HTTP status " + reply.status() + ")");
            }
        }
    }

    /** Both must list all the files: what is measured is the work and not its refusal. */
    static void check(int number, HttpsConnection connection, String path) throws IOException {
        try (connection) {
            HttpReply reply = connection.get(path);
            JsonNode all = reply.status() == 200 ? JSON.readTree(reply.body()) : JSON.createObjectNode();
            int found = all.isArray() ? all.size() : all.path("entries").size();
            if (found != number) {
                throw new IOException("the listing " + path + " has " + found + " of " + number + " files (HTTP status "
                        + reply.status() + "; the service gives 1000 at once)");
            }
        }
    }

    /** The directory of so many files, as the storage resource manager is asked for it. */
    static String surl(Path directory, int number) {
        return "/machine" + directory.toAbsolutePath() + "/" + number;
    }

    /** Says what the listings are. */
    static void notes(Report report) {
        report.note(
                "The listings are names, kinds, sizes and times as JSON, of the service by the process of the job's account, of nginx by "
                        + "its autoindex of the same directory. The share of one subject of files.maxReaders ("
                        + READERS
                        + ") is made the whole of it; who comes above it is refused with 503, waits 0.2 s and asks again, and is in failures_list.");
    }
}
