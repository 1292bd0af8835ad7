// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Jobs of ARC's REST interface that ask for a runtime environment of the site, on Fork, HTCondor and Slurm, as an account of their own: its
 * variables are there; its program has run before the job's where the LRM can do that, and where it fails the job's program never runs.
 */
class ArcLrmsIT {

    private static final String A = SeparateAccounts.ACCOUNTS.getFirst();
    private static final Path LAB = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"));
    private static final Path CONDOR = LAB.resolve("htcondor/etc/condor_config");
    private static final Path SLURM = LAB.resolve("slurm/etc/slurm.conf");
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");
    private static final Pattern STATE = Pattern.compile("\"state\"\\s*:\\s*\"([^\"]+)\"");

    /** It runs no program before a job: such environments are refused there by name, and those with variables alone are not. */
    private static final String NO_PROGRAMS = "htcondor";

    private static final String GREETING = "(runtimeenvironment=\"APPS/GREETING-1.0\" \"loud\" \"a b\")";
    private static final String READY = "#!/bin/sh\nprintf '%s by %s\\n' \"$*\" \"$(id -un)\" >ready\n";

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** The runtime environments of a site, which its accounts may read. */
    private static Path environments() throws IOException {
        Path directory = Files.createTempDirectory(
                "jobgate-environments-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Path apps = Files.createDirectory(directory.resolve("APPS"));
        Files.setPosixFilePermissions(apps, PosixFilePermissions.fromString("rwxr-xr-x"));
        program(apps.resolve("GREETING-1.0"), READY);
        Files.writeString(apps.resolve("GREETING-1.0.env"), "GREETING=hello world\n");
        Files.createDirectory(directory.resolve("ENV"));
        Files.copy(apps.resolve("GREETING-1.0.env"), directory.resolve("ENV/GREETING.env"));
        program(apps.resolve("BROKEN-1.0"), "#!/bin/sh\nexit 3\n");
        return directory;
    }

    @Test
    void theSitesRuntimeEnvironmentsMakeJobsReadyOnEachLrm() throws Exception {
        List<String> names = new ArrayList<>(List.of("fork"));
        StringBuilder lrms = new StringBuilder();
        if (Files.isReadable(CONDOR)) {
            names.add("htcondor");
            lrms.append(", { name: HTCondor, adapter: condor, spool: \"~/.jobgate/%s-condor\", options: [ condor_bin="
                    + LAB.resolve("htcondor/root/usr/bin") + ", condor_config=" + CONDOR + " ] }");
        }
        if (Files.isReadable(SLURM)) {
            names.add("slurm");
            lrms.append(", { name: Slurm, adapter: slurm, spool: \"~/.jobgate/%s-slurm\", options: [ slurm_conf="
                    + SLURM + ", poll_interval=1 ] }");
        }
        Path environments = environments();
        // of this test alone, so that all of them can be removed at its end
        String sessions = ".jobgate/" + environments.getFileName();
        String settings = "arc: { runtimeEnvironments: %s, sessions: %s }%n".formatted(environments, sessions);
        try (SeparateAccounts site = SeparateAccounts.start(settings, lrms.toString())) {
            try {
                tryEach(site, names);
            } finally {
                site.as(A, "rm -rf " + site.home(A) + "/" + sessions);
            }
        } finally {
            new ProcessBuilder("rm", "-rf", environments.toString()).start().waitFor();
        }
    }

    private static void tryEach(SeparateAccounts site, List<String> lrms) throws Exception {
        Map<String, String> plain = new LinkedHashMap<>();
        Map<String, String> good = new LinkedHashMap<>();
        Map<String, String> broken = new LinkedHashMap<>();
        for (String lrm : lrms) {
            plain.put(lrm, submitted(site, lrm, "(runtimeenvironment=\"ENV/GREETING\")"));
            if (lrm.equals(NO_PROGRAMS)) {
                assertThat(ask(site, "?action=new", "--data-binary", description(lrm, GREETING)))
                        .contains("400", "pre_command", "APPS/GREETING-1.0");
                continue;
            }
            good.put(lrm, submitted(site, lrm, GREETING));
            broken.put(lrm, submitted(site, lrm, "(runtimeenvironment=\"APPS/BROKEN-1.0\")"));
        }
        for (String lrm : lrms) {
            assertThat(end(site, requireNonNull(plain.get(lrm)))).as(lrm).isEqualTo("FINISHED");
            assertThat(ask(site, "/" + requireNonNull(plain.get(lrm)) + "/session/out.txt"))
                    .as(lrm)
                    .isEqualTo("ran\nhello world\n");
        }
        for (String lrm : good.keySet()) {
            assertThat(end(site, requireNonNull(good.get(lrm)))).as(lrm).isEqualTo("FINISHED");
            assertThat(ask(site, "/" + requireNonNull(good.get(lrm)) + "/session/out.txt"))
                    .as(lrm)
                    .isEqualTo("ran\nloud a b by " + A + "\nhello world\n");
            assertThat(end(site, requireNonNull(broken.get(lrm)))).as(lrm).isEqualTo("FAILED");
            assertThat(ask(site, "/" + requireNonNull(broken.get(lrm)) + "/session/out.txt"))
                    .as(lrm)
                    .doesNotContain("ran");
        }
    }

    private static String description(String lrm, String more) {
        return "&(executable=/bin/sh)(arguments=\"-c\" \"echo ran; test ! -e ready || cat ready; echo $GREETING\")(stdout=out.txt)(queue="
                + lrm + ")" + more;
    }

    /** Submits a job that shows what was made ready for it; answers its id. */
    private static String submitted(SeparateAccounts site, String lrm, String more) throws Exception {
        String answer = ask(site, "?action=new", "--data-binary", description(lrm, more));
        assertThat(answer).as(lrm + ": " + more).contains("201");
        return found(ID, answer);
    }

    /** How the job ended. */
    private static String end(SeparateAccounts site, String job) throws Exception {
        String[] last = {""};
        await().atMost(PATIENCE).until(() -> {
            last[0] = found(STATE, ask(site, "?action=status", "--json", "{\"job\":[{\"id\":\"" + job + "\"}]}"));
            return List.of("FINISHED", "FAILED", "KILLED", "WIPED").contains(last[0]);
        });
        return last[0];
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    /** What the jobs' addresses answer to the user of the account. */
    private static String ask(SeparateAccounts site, String place, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "curl",
                "-sS",
                "--cert",
                site.path(A + ".proxy"),
                "--capath",
                site.path("ca/certificates"),
                "-H",
                "Accept: application/json"));
        command.addAll(List.of(more));
        command.add("https://localhost:" + site.port() + "/arex/rest/1.1/jobs" + place);
        return site.clientOf(A).runWell(command);
    }
}
