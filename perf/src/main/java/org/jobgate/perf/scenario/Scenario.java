// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.gateway.LrmChoice;
import org.jobgate.perf.gateway.Servers;
import org.jobgate.perf.report.Conditions;
import org.jobgate.perf.report.Report;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * One scenario against a gateway of its own, made for it and removed after it. Exit status: 0 if it ran and found nothing wrong, 1 if
 * it found something wrong, 2 for wrong options. A budget that is missed is shown and is not an error: it depends on the machine.
 */
abstract class Scenario implements Callable<Integer> {

    private static final PrintStream TABLE = System.out;
    private static final List<String> PLACES = List.of("--out", "--html", "--root", "--directory", "--jfr");
    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_.,:/=+@%-]+");
    private static final PrintStream PROGRESS = System.err;

    @Spec
    @Nullable
    CommandSpec spec;

    @Mixin
    final CommonOptions common = new CommonOptions();

    private final String name;

    Scenario(String name) {
        this.name = name;
    }

    /**
     * Measures.
     *
     * @param gateway not started yet
     * @return whether all was well
     */
    abstract boolean measure(Lab lab, Gateway gateway, Report report) throws Exception;

    /** What the gateway gives its jobs to. */
    LrmChoice lrm() throws IOException {
        return LrmChoice.fork();
    }

    /** The certificates of the lab, where the scenario shares its user with other systems; by default it makes its own. */
    Optional<LabGrid> grid() throws IOException {
        return Optional.empty();
    }

    /** What the gateway's configuration says beside what every scenario's does; nothing by default. */
    String settings() {
        return "";
    }

    /** How many users it plays; one by default. */
    int users() {
        return 1;
    }

    /** Refuses options that make no sense, by {@link #require}; it is called before anything is made. */
    void checkOptions() {}

    final void require(boolean good, String otherwise) {
        if (!good) {
            throw new ParameterException(requireNonNull(spec, "spec is null").commandLine(), otherwise);
        }
    }

    @Override
    public Integer call() throws Exception {
        checkOptions();
        progress("certificates and configuration ...");
        String lines = String.join(
                "\n",
                Stream.concat(Stream.of(settings()), common.lines.stream()).toList());
        try (Lab lab = Lab.create(common.checkout(), common.directory(), common.keep, lrm(), grid(), lines, users())) {
            boolean good = false;
            try (Gateway gateway = new Gateway(lab, common.environment())) {
                Runtime.getRuntime().addShutdownHook(killer(gateway));
                good = measureAndPublish(lab, gateway);
            } finally {
                keepAfterTrouble(lab, good);
            }
            return good ? 0 : 1;
        }
    }

    private boolean measureAndPublish(Lab lab, Gateway gateway) throws Exception {
        Conditions conditions = Conditions.now(Clock.systemUTC(), lab.checkout().directory(), lab.state(), Lab.STORE);
        Report report = new Report(name);
        Servers servers = Servers.now();
        boolean good = measure(lab, gateway, report);
        report.servers(servers.used(gateway.pid()));
        if (common.recordings != null) {
            gateway.dumpRecording(common.recordings.toAbsolutePath().resolve(name + ".jfr"));
        }
        report.put("command", command()).put("conditions", conditions).put("load_after", Conditions.loadAverage());
        publish(report);
        return good;
    }

    private String command() {
        return command(
                spec == null ? List.of() : spec.commandLine().getParseResult().originalArgs());
    }

    /** What was asked for, without where the result goes, as a shell takes it. */
    static String command(List<String> given) {
        List<String> words = new ArrayList<>(List.of("perf/run"));
        for (int i = 0; i < given.size(); i++) {
            boolean isPlace = PLACES.contains(given.get(i));
            if (isPlace) {
                i++;
            } else {
                words.add(quoted(given.get(i)));
            }
        }
        return String.join(" ", words);
    }

    private static String quoted(String word) {
        return PLAIN_WORD.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Ends the gateway if the harness is ended early; after an orderly end there is no gateway any more. */
    private static Thread killer(Gateway gateway) {
        return new Thread(() -> {
            try {
                gateway.kill();
            } catch (IOException e) {
                progress("the gateway may still run: " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void keepAfterTrouble(Lab lab, boolean good) {
        if (!good) {
            lab.keep();
            progress("something went wrong: the gateway's files stay in " + lab.directory());
        }
    }

    private void publish(Report report) throws IOException {
        report.print(TABLE);
        if (common.html != null) {
            Files.writeString(common.html, report.html(), StandardCharsets.UTF_8);
        }
        if (common.out != null) {
            report.writeTo(common.out);
        }
    }

    static void progress(String text) {
        PROGRESS.println("perf: " + text);
    }
}
