// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;

/**
 * A stock HTCondor as a client (Condor-G): a personal pool of the lab's user with a queue and no slots, whose jobs run elsewhere. Its programs are
 * those of the pool that {@code CONDOR_CONFIG} names; it shares nothing else with that.
 */
final class CondorClient implements AutoCloseable {

    /** The settings that HTCondor's manual allows and that decide how long a job of the grid universe takes, with what they are by default. */
    static final Map<String, String> KNOBS = knobs();

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final DirectLrm.Direct as;
    private final Path directory;
    private final Map<String, String> environment;
    private final Process master;
    private final Thread hook;

    /**
     * Starts it.
     *
     * @param as the user; the pool's files are below its directory
     * @param gateway whose jobs {@code batch jobgate} are
     * @param isTuned with {@link #KNOBS}
     * @param jobs that it may have at one resource
     */
    CondorClient(DirectLrm.Direct as, LabGrid grid, Lab gateway, boolean isTuned, int jobs)
            throws IOException, InterruptedException {
        this.as = requireNonNull(as, "as is null");
        this.directory = as.directory().resolve("pool");
        this.environment = Map.of(
                "CONDOR_CONFIG", directory.resolve("condor_config").toString(),
                "X509_CERT_DIR", grid.trustDirectory().toString(),
                "JOBGATE_GAHP_CONFIG", directory.resolve("gahp.conf").toString(),
                "JOBGATE_GAHP_STATE", directory.resolve("gahp-state").toString());
        as.run("mkdir", "-p", at("log"), at("spool"), at("execute"));
        String release = as.says("condor_config_val", "RELEASE_DIR").strip();
        Path gahp = directory.resolve("jobgate-gahp");
        Files.copy(
                gateway.checkout().directory().resolve("clients/condor-g/jobgate-gahp"),
                gahp,
                StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(gahp, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(
                directory.resolve("gahp.conf"),
                "[jobgate]\nurl = " + gateway.url() + "\ntrust = " + grid.trustDirectory() + "\n");
        Files.writeString(directory.resolve("condor_config"), configuration(release, isTuned, jobs));
        this.master = new ProcessBuilder(words("condor_master", "-f"))
                .directory(directory.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("master.out").toFile())
                .start();
        // who ends the harness early must not leave a pool behind
        this.hook = new Thread(this::kill);
        Runtime.getRuntime().addShutdownHook(hook);
        if (!Waiting.until(START, PAUSE, this::answers)) {
            close();
            throw new IOException(
                    "the personal HTCondor pool did not answer within " + START + "; its log is in " + directory);
        }
    }

    private static Map<String, String> knobs() {
        Map<String, String> knobs = new LinkedHashMap<>();
        // a gridmanager that has just ended is started again for new jobs at the next interval
        knobs.put("SCHEDD_INTERVAL = 2", "300");
        knobs.put("SCHEDD_MIN_INTERVAL = 1", "5");
        knobs.put("GRIDMANAGER_RESOURCE_PROBE_INTERVAL = 10", "300");
        knobs.put("GRIDMANAGER_JOB_PROBE_INTERVAL = 5", "60");
        knobs.put("GRIDMANAGER_JOB_PROBE_RATE = 200", "5");
        knobs.put("GRIDMANAGER_CONTACT_SCHEDD_DELAY = 1", "5");
        knobs.put("ARC_GAHP_USE_THREADS = True", "False");
        return knobs;
    }

    /** How it is set, for a report. */
    static String settings(boolean isStock) {
        if (isStock) {
            return "HTCondor's settings are its defaults, but for GRIDMANAGER_MAX_SUBMITTED_JOBS_PER_RESOURCE where there are more than 1000 jobs.";
        }
        StringBuilder set =
                new StringBuilder("HTCondor's settings that its manual allows, with the default behind each: ");
        KNOBS.forEach(
                (knob, usual) -> set.append(knob).append(" (").append(usual).append("), "));
        return set + "as of the pool that runs the jobs CONDOR_FSYNC and ENABLE_USERLOG_FSYNC are False (True).";
    }

    private String at(String name) {
        return directory.resolve(name).toString();
    }

    private String configuration(String release, boolean isTuned, int jobs) throws IOException {
        return """
                RELEASE_DIR = %1$s
                LOCAL_DIR = %2$s
                LOG = %2$s/log
                SPOOL = %2$s/spool
                EXECUTE = %2$s/execute
                LOCK = %2$s/log
                RUN = %2$s/log
                BIN = $(RELEASE_DIR)/bin
                SBIN = $(RELEASE_DIR)/sbin
                LIB = $(RELEASE_DIR)/lib/condor
                LIBEXEC = $(RELEASE_DIR)/libexec/condor
                DAEMON_LIST = MASTER COLLECTOR SCHEDD
                NETWORK_INTERFACE = 127.0.0.1
                BIND_ALL_INTERFACES = False
                CONDOR_HOST = 127.0.0.1
                COLLECTOR_HOST = 127.0.0.1:%3$d
                SHARED_PORT_PORT = %3$d
                ENABLE_IPV6 = False
                ENABLE_KERNEL_TUNING = False
                UID_DOMAIN = localhost
                FILESYSTEM_DOMAIN = localhost
                SEC_DEFAULT_AUTHENTICATION_METHODS = FS
                ALLOW_ADMINISTRATOR = *
                ALLOW_WRITE = *
                ALLOW_DAEMON = *
                MAIL = /bin/true
                CONDOR_FSYNC = False
                ENABLE_USERLOG_FSYNC = False
                GRIDMANAGER_LOG = %2$s/log/GridmanagerLog
                GRIDMANAGER_MAX_SUBMITTED_JOBS_PER_RESOURCE = %4$d
                JOBGATE_GAHP = %2$s/jobgate-gahp
                %5$s
                """.formatted(
                        release,
                        directory,
                        Lab.freePort(),
                        Math.max(1000, jobs),
                        isTuned ? String.join("\n", KNOBS.keySet()) : "");
    }

    /** What runs the command as the user, in this pool. */
    private List<String> words(String... command) {
        List<String> words = new ArrayList<>(List.of("env", "-u", "X509_USER_PROXY"));
        environment.forEach((name, value) -> words.add(name + "=" + value));
        words.addAll(List.of(command));
        return as.words(words.toArray(String[]::new));
    }

    private boolean answers() throws IOException {
        Process asked = new ProcessBuilder(words("condor_q", "-totals"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return asked.onExit().join().exitValue() == 0;
    }

    /** Gives it a submit file. */
    void submit(Path file) throws IOException, InterruptedException {
        Path said = directory.resolve("submit.out");
        Process submit = new ProcessBuilder(words("condor_submit", "-terse", file.toString()))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        if (submit.waitFor() != 0) {
            throw new IOException("condor_submit failed: " + Files.readString(said, StandardCharsets.ISO_8859_1));
        }
    }

    /** What the gridmanager wrote last, for who looks for the cause of trouble. */
    String lastWords() throws IOException {
        try (var logs = Files.list(directory.resolve("log"))) {
            Path log = logs.filter(file -> file.getFileName().toString().startsWith("GridmanagerLog"))
                    .findFirst()
                    .orElse(null);
            if (log == null) {
                return "there is no log of a gridmanager in " + directory;
            }
            List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        }
    }

    /** Ends it: in order where it does that within a minute. */
    @Override
    public void close() throws IOException {
        Runtime.getRuntime().removeShutdownHook(hook);
        try {
            new ProcessBuilder("kill", "-QUIT", Long.toString(master.pid()))
                    .start()
                    .waitFor();
            if (!master.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
    }

    private void kill() {
        List<ProcessHandle> all = master.descendants().toList();
        master.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
