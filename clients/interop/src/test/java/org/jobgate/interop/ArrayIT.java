// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Arrays on Fork and on the lab's HTCondor and Slurm, each job as a local account: how many elements run at once and how often each has run is
 * read from the files that the elements write, not from what the gateway says. An LRM of the lab that is not there is left out.
 */
class ArrayIT {

    private static final Duration PATIENCE = Duration.ofMinutes(6);
    private static final String A = SeparateAccounts.ACCOUNTS.getFirst();
    private static final Path LAB = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"));
    private static final Path CONDOR = LAB.resolve("htcondor/etc/condor_config");
    private static final Path SLURM = LAB.resolve("slurm/etc/slurm.conf");
    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");
    private static final int ELEMENTS = 12;
    private static final int AT_ONCE = 3;

    /** From this one on the elements wait while the gateway is killed. */
    private static final int FIRST_WAITING = 5;

    /** The elements that fail until the file "mended" is there. */
    private static final List<Integer> FAILING = List.of(5, 10);

    /** The arguments are the directory of the array, and the index of the element. From the index in the file "wait" on it waits while that is there. */
    private static final String ELEMENT = """
            #!/bin/sh
            cd "$1" || exit 9
            echo "$2" >> ran
            : > "now/$2"
            ls now | wc -l >> seen
            first=1000
            test ! -e wait || read -r first < wait
            i=0
            while test "$2" -ge "$first" && test -e wait && test $i -lt 6000; do sleep 0.1; i=$((i + 1)); done
            sleep 0.3
            rm "now/$2"
            echo "$2" >> ended
            test $(($2 % 5)) != 0 || test -e mended
            """;

    private static SeparateAccounts site;
    private static String home;
    private static final List<String> LRMS = new ArrayList<>(List.of("Fork"));

    @BeforeAll
    static void start() throws Exception {
        StringBuilder lrms = new StringBuilder();
        if (Files.isReadable(CONDOR)) {
            LRMS.add("HTCondor");
            lrms.append(", { name: HTCondor, adapter: condor, spool: \"~/.jobgate/%s-condor\", options: [ condor_bin="
                    + LAB.resolve("htcondor/root/usr/bin") + ", condor_config=" + CONDOR + " ] }");
        }
        if (Files.isReadable(SLURM)) {
            LRMS.add("Slurm");
            lrms.append(", { name: Slurm, adapter: slurm, spool: \"~/.jobgate/%s-slurm\", options: [ slurm_conf="
                    + SLURM + ", poll_interval=1 ] }");
        }
        site = SeparateAccounts.start(
                "limits: { maxGroupElements: 40, maxGroupRunning: 5, maxGroupsPerOwner: 7, maxGroupBytes: 1KiB }\n",
                lrms.toString());
        home = site.home(A) + "/arrays-" + site.directory.getFileName();
        site.as(A, "mkdir -p " + home);
    }

    @AfterAll
    static void stop() throws Exception {
        if (site != null) {
            site.as(A, "rm -rf " + home);
            site.close();
        }
    }

    /** Makes the directory of an array, in which a file "wait" keeps its elements running from this index on. */
    private static String room(String name, int firstWaiting) throws Exception {
        String directory = home + "/" + name;
        Path script = Files.writeString(site.directory.resolve("element-" + name), ELEMENT);
        site.well("chmod", "755", script.toString());
        Programs.Result made = site.as(
                A,
                "mkdir -p " + directory + "/now && cp " + script + " " + directory + "/element && echo " + firstWaiting
                        + " > " + directory + "/wait");
        assertThat(made.status()).as(made.output()).isZero();
        return directory;
    }

    private static String json(String lrm, String directory, String indices, int maxRunning) {
        return "{\"job\": {\"executable\": \"" + directory + "/element\", \"arguments\": [\"" + directory
                + "\", \"{index}\"], \"lrm\": \"" + lrm + "\"}, \"indices\": \"" + indices + "\", \"maxRunning\": "
                + maxRunning + "}";
    }

    /** Asks the REST API as the user of the account; answers the status, then the body. */
    private static String ask(String method, String path, String body) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "curl",
                "-sS",
                "--cert",
                site.path(A + ".proxy"),
                "--capath",
                site.path("ca/certificates"),
                "-X",
                method,
                "-w",
                "%{stderr}status %{http_code}\n",
                "https://localhost:" + site.port() + "/api/v1" + path));
        if (!body.isEmpty()) {
            command.addAll(List.of("-H", "Content-Type: application/json", "--data-binary", body));
        }
        return site.clientOf(A).runWell(command);
    }

    private static String submit(String json) throws Exception {
        String answer = ask("POST", "/arrays", json);
        Matcher id = ID.matcher(answer);
        assertThat(id.find()).as(answer).isTrue();
        return id.group(1);
    }

    /** How many elements the gateway counts in a state. */
    private static int count(String id, String state) throws Exception {
        String answer = ask("GET", "/arrays/" + id, "");
        assertThat(answer).contains("status 200");
        Matcher states = Pattern.compile("\"states\":\\{([^}]*)\\}").matcher(answer);
        assertThat(states.find()).as(answer).isTrue();
        int sum = 0;
        int found = 0;
        for (String each : states.group(1).split(",", -1)) {
            String[] pair = each.split(":", -1);
            int number = Integer.parseInt(pair[1]);
            sum += number;
            found += pair[0].equals("\"" + state + "\"") ? number : 0;
        }
        Matcher size = Pattern.compile("\"size\":([0-9]+)").matcher(answer);
        assertThat(size.find()).as(answer).isTrue();
        assertThat(sum).as("the counts of all states: " + answer).isEqualTo(Integer.parseInt(size.group(1)));
        return found;
    }

    private static void awaitCount(String lrm, String id, String state, int count) {
        await(lrm + ": " + count + " " + state)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .pollInSameThread()
                .until(() -> count(id, state) == count);
    }

    /** The numbers that the elements have written to a file, one in a line; nothing if there is no such file yet. */
    private static List<Integer> numbers(String directory, String file) throws Exception {
        return site.as(A, "cat " + directory + "/" + file + " 2>/dev/null")
                .output()
                .lines()
                .map(line -> Integer.valueOf(line.strip()))
                .sorted()
                .toList();
    }

    private static List<Integer> all() {
        return upTo(ELEMENTS);
    }

    private static List<Integer> upTo(int last) {
        return IntStream.rangeClosed(1, last).boxed().toList();
    }

    private static void assertAtMostAtOnce(String lrm, String directory) throws Exception {
        List<Integer> seen = numbers(directory, "seen");
        assertThat(seen.getLast())
                .as(lrm + ": elements that ran at once, as each saw them: " + seen)
                .isLessThanOrEqualTo(AT_ONCE)
                .isGreaterThan(1);
    }

    /** In each LRM some elements have run, some run and most wait when the gateway is killed; then what failed is run once more, and nothing else. */
    @Test
    void eachElementRunsOnceOverAKillAndThoseThatFailedRunAgain() throws Exception {
        Map<String, String> arrays = new LinkedHashMap<>();
        for (String lrm : LRMS) {
            arrays.put(lrm, submit(json(lrm, room("kill-" + lrm, FIRST_WAITING), "1-" + ELEMENTS, AT_ONCE)));
        }
        for (String lrm : LRMS) {
            String directory = home + "/kill-" + lrm;
            String id = String.valueOf(arrays.get(lrm));
            await(lrm)
                    .atMost(PATIENCE)
                    .pollInSameThread()
                    .until(() -> numbers(directory, "ran").equals(upTo(FIRST_WAITING - 1 + AT_ONCE)));
            awaitCount(lrm, id, "Active", AT_ONCE);
            awaitCount(lrm, id, "Waiting", ELEMENTS - AT_ONCE - (FIRST_WAITING - 1));
            assertThat(numbers(directory, "ended")).as(lrm + ": what has ended").isEqualTo(upTo(FIRST_WAITING - 1));
        }

        site.killAndStartAgain();

        for (String lrm : LRMS) {
            site.as(A, "rm " + home + "/kill-" + lrm + "/wait");
        }
        for (String lrm : LRMS) {
            String directory = home + "/kill-" + lrm;
            String id = String.valueOf(arrays.get(lrm));
            awaitCount(lrm, id, "Done", ELEMENTS - FAILING.size());
            awaitCount(lrm, id, "Failed", FAILING.size());
            assertThat(numbers(directory, "ran")).as(lrm + ": what ran").isEqualTo(all());
            assertThat(numbers(directory, "ended")).as(lrm + ": what ended").isEqualTo(all());
            assertAtMostAtOnce(lrm, directory);
            assertThat(ask("GET", "/arrays/" + id + "/elements?elements=5", ""))
                    .contains("\"state\":\"Failed\"", "\"exitCode\":1", "\"attempt\":1");

            site.as(A, "touch " + directory + "/mended");
            assertThat(ask("POST", "/arrays/" + id + "/restart", "{\"elements\": \"1-5\"}"))
                    .contains("status 200");
            awaitCount(lrm, id, "Done", ELEMENTS - 1);
            assertThat(ask("POST", "/arrays/" + id + "/restart", "{}")).contains("status 200");
            awaitCount(lrm, id, "Done", ELEMENTS);
            assertThat(numbers(directory, "ran"))
                    .as(lrm + ": what ran, with the second attempts")
                    .isEqualTo(Stream.concat(all().stream(), FAILING.stream())
                            .sorted()
                            .toList());
            assertThat(ask("GET", "/arrays/" + id + "/elements?elements=5,6", ""))
                    .contains("\"attempt\":2", "\"attempt\":1");
        }
    }

    @Test
    void aPartIsCancelledWhileTheRestGoesOnAndThenAllIs() throws Exception {
        Map<String, String> arrays = new LinkedHashMap<>();
        for (String lrm : LRMS) {
            arrays.put(lrm, submit(json(lrm, room("cancel-" + lrm, 1), "1-" + ELEMENTS, AT_ONCE)));
        }
        for (String lrm : LRMS) {
            String directory = home + "/cancel-" + lrm;
            String id = String.valueOf(arrays.get(lrm));
            awaitCount(lrm, id, "Active", AT_ONCE);
            await(lrm)
                    .atMost(PATIENCE)
                    .pollInSameThread()
                    .until(() -> numbers(directory, "ran").equals(List.of(1, 2, 3)));
            assertThat(count(id, "Waiting")).as(lrm).isEqualTo(ELEMENTS - AT_ONCE);

            // one that runs, and two that wait: the next two take the places
            assertThat(ask("POST", "/arrays/" + id + "/cancel", "{\"elements\": \"2,4-5\"}"))
                    .contains("status 200");
            awaitCount(lrm, id, "Cancelled", 3);
            await(lrm)
                    .atMost(PATIENCE)
                    .pollInSameThread()
                    .until(() -> numbers(directory, "ran").equals(List.of(1, 2, 3, 6)));
            awaitCount(lrm, id, "Active", AT_ONCE);
            assertThat(ask("GET", "/arrays/" + id + "/elements?state=Cancelled", ""))
                    .contains("\"index\":2,", "\"index\":4,", "\"index\":5,")
                    .doesNotContain("\"index\":3,");

            assertThat(ask("POST", "/arrays/" + id + "/cancel", "{}")).contains("status 200");
            awaitCount(lrm, id, "Cancelled", ELEMENTS);
            assertThat(ask("GET", "/arrays/" + id, "")).contains("\"final\":true");
        }
        for (String lrm : LRMS) {
            String directory = home + "/cancel-" + lrm;
            await(lrm + ": no process of the array is left")
                    .atMost(PATIENCE)
                    .pollInSameThread()
                    .until(() -> SeparateAccounts.commandLines().noneMatch(words -> words.contains(directory)));
            site.as(A, "rm " + directory + "/wait");
            assertThat(numbers(directory, "ran")).as(lrm).containsExactly(1, 2, 3, 6);
            assertThat(numbers(directory, "ended")).as(lrm).isEmpty();
        }
    }

    @Test
    void limitsRefuseAnArrayByName() throws Exception {
        String directory = room("limits", 1);
        assertRefused(json("Fork", directory, "1-41", 1), "status 422", "limits.maxGroupElements", "40");
        assertRefused(json("Fork", directory, "1-2", 6), "status 422", "limits.maxGroupRunning", "5");
        assertRefused(
                json("Fork", directory, "1-2", 1)
                        .replace("\"indices\": \"1-2\"", "\"values\": [\"" + "x".repeat(1_025) + "\"]"),
                "status 422",
                "limits.maxGroupBytes",
                "1024");
        List<String> arrays = new ArrayList<>();
        try {
            for (int i = 0; i < 7; i++) {
                arrays.add(submit(json("Fork", directory, "1-2", 1)));
            }
            assertRefused(json("Fork", directory, "1-2", 1), "status 429", "limits.maxGroupsPerOwner", "7");
        } finally {
            for (String id : arrays) {
                ask("POST", "/arrays/" + id + "/cancel", "{}");
            }
        }
        for (String id : arrays) {
            awaitCount("Fork", id, "Cancelled", 2);
        }
    }

    private static void assertRefused(String json, String... words) throws Exception {
        assertThat(ask("POST", "/arrays", json)).contains("LIMIT_EXCEEDED").contains(words);
    }
}
