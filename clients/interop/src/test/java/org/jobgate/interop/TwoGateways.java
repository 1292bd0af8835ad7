// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways that trust each other: jobs are sent to the one by its REST interface, and move files from and to a tree of the other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TwoGateways {

    private static final Path CURL = Path.of("/usr/bin/curl");
    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

    Path area;
    Gateway there;
    Gateway here;

    @TempDir
    Path folder;

    @BeforeAll
    void start(@TempDir Path tree) throws Exception {
        Assumptions.assumeTrue(Files.exists(CURL), "SKIPPED: curl is not installed");
        area = tree;
        there = Gateway.startWith("fileTrees: [ { name: area, path: " + area + ", writable: true } ]\n");
        here = Gateway.startBefore(there);
    }

    @AfterAll
    void stop() throws Exception {
        if (here != null) {
            here.close();
        }
        if (there != null) {
            there.close();
        }
    }

    String api(String path, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                CURL.toString(),
                "-sS",
                "--fail-with-body",
                "--capath",
                here.trustDirectory().toString(),
                "--cert",
                here.proxy().toString(),
                "--key",
                here.proxy().toString()));
        command.addAll(Arrays.asList(words));
        command.add("https://localhost:" + here.port() + "/api/v1" + path);
        return here.clients().runWell(command);
    }

    /** The job's id. */
    String submit(String job) throws Exception {
        Path request = Files.writeString(folder.resolve("job.json"), job);
        Matcher id = ID.matcher(api("/jobs", "-H", "Content-Type: application/json", "-d", "@" + request));
        assertThat(id.find()).isTrue();
        return id.group(1);
    }

    /** The key of a credential of the user's that files are moved with. */
    String delegated() throws Exception {
        Path credential = folder.resolve("credential.epr");
        here.clients()
                .runWell(List.of(
                        Checkout.directory()
                                .resolve("bin/globus-credential-delegate")
                                .toString(),
                        "-p",
                        Integer.toString(here.port()),
                        credential.toString()));
        Matcher key = Pattern.compile("<[^<>]*DelegationKey[^<>]*>([^<]+)<").matcher(Files.readString(credential));
        assertThat(key.find()).isTrue();
        return key.group(1);
    }
}
