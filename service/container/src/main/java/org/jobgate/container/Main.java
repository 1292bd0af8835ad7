// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jobgate.container.config.ConfigurationDump;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.DecisionPointConfig;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.log.Logging;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.HostCredential;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code Main --config FILE [--check]}: runs the service until it is told to stop, or only checks the configuration.
 *
 * <p>Exit codes: {@value #OK} it ended when it was asked to, or the check found nothing; {@value #REFUSED} the configuration or its
 * surroundings cannot be used; {@value #USAGE} it was called wrongly; {@value #FAILED} it failed. SIGTERM and SIGINT ask it to
 * end, too.
 */
public final class Main {

    static final int OK = 0;
    static final int REFUSED = 1;
    static final int USAGE = 2;
    static final int FAILED = 3;

    private static final Duration MAIN_PATIENCE = Duration.ofSeconds(10);

    private static final String USAGE_TEXT = "usage: org.jobgate.container.Main --config FILE [--check]";

    private final Logger log;

    private Main() {
        this.log = LoggerFactory.getLogger(Main.class);
    }

    /** What was asked for on the command line. */
    private record Arguments(Path config, boolean check) {

        static @Nullable Arguments parse(String[] words) {
            Path config = null;
            boolean check = false;
            for (int i = 0; i < words.length; i++) {
                if (words[i].equals("--config") && i + 1 < words.length) {
                    config = Path.of(words[++i]);
                } else if (words[i].equals("--check")) {
                    check = true;
                } else {
                    return null;
                }
            }
            return config == null ? null : new Arguments(config, check);
        }
    }

    public static void main(String[] words) {
        Logging.capture();
        Logging.toConsole();
        int code = new Main().run(words);
        Logging.stop();
        // threads of libraries may still sleep; they must not keep the process
        Runtime.getRuntime().halt(code);
    }

    private int run(String[] words) {
        Arguments arguments = Arguments.parse(words);
        if (arguments == null) {
            log.error(USAGE_TEXT);
            return USAGE;
        }
        try {
            JobgateConfig config = ConfigurationFile.read(arguments.config(), System.getenv());
            return arguments.check() ? check(config) : serve(config);
        } catch (ConfigurationException e) {
            e.problems().forEach(log::error);
            return REFUSED;
        } catch (FaultException e) {
            log.error("{} {}", e.fault().sentence(), e.fault().remedy());
            return REFUSED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        } catch (RuntimeException e) {
            log.error("Jobgate failed", e);
            return FAILED;
        }
    }

    private int check(JobgateConfig config) {
        HostCredential host = HostCredential.load(
                config.server().hostCertificate(), config.server().hostKey());
        host.warning(Clock.systemUTC()).ifPresent(log::warn);
        new ChainValidator(config.server(), Clock.systemUTC()).close();
        refuseMissingMap(config);
        home();
        ConfigurationDump.lines(config).forEach(line -> log.info("{}", line));
        log.info("The configuration is good.");
        return OK;
    }

    private int serve(JobgateConfig config) throws InterruptedException {
        Instant startedAt = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
        refuseMissingMap(config);
        Path home = home();
        StateDirectory state = StateDirectory.take(config.state().directory());
        Logging.start(config.log(), state.logs());
        log.info(
                "Jobgate {} starts as process {}.",
                Version.current(),
                ProcessHandle.current().pid());
        JobgateService service = new JobgateService(config, state, startedAt);
        service.start(home);
        endInGoodOrder(service);
        log.info(
                "READY {} after {} ms",
                service.url(),
                Duration.between(startedAt, Instant.now()).toMillis());
        service.awaitStopped();
        return OK;
    }

    /** On a signal: ends the service, then leaves the end of the process, and so its exit code, to the main thread. */
    private static void endInGoodOrder(JobgateService service) {
        Thread main = Thread.currentThread();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            service.close();
                            try {
                                main.join(MAIN_PATIENCE.toMillis());
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        },
                        "end"));
    }

    private static void refuseMissingMap(JobgateConfig config) {
        if (config.decisionPoints().stream()
                .noneMatch(point -> point.kind() == DecisionPointConfig.Kind.GRID_MAPFILE && point.file() == null)) {
            return;
        }
        Path map = config.authorization().gridMapfile();
        if (!Files.isReadable(map)) {
            throw new ConfigurationException(List.of("authorization.gridMapfile = " + map
                    + ": there is no such file, or this account cannot read it; an empty one lets nobody in"));
        }
    }

    /** Where Jobgate is installed, as the launcher says. */
    private static Path home() {
        String home = System.getProperty("jobgate.home");
        if (home == null) {
            throw new ConfigurationException(
                    List.of("the system property jobgate.home is not set; start Jobgate by bin/jobgate"));
        }
        Path worker = Path.of(home, "perl", "jobgate-worker");
        if (!Files.isReadable(worker)) {
            throw new ConfigurationException(
                    List.of("jobgate.home = " + home + ": " + worker + " is not there; is the installation complete?"));
        }
        return requireNonNull(Path.of(home).toAbsolutePath());
    }
}
