// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jobgate.address.OwnPorts;
import org.jobgate.container.backup.Backup;
import org.jobgate.container.backup.Restore;
import org.jobgate.container.config.ConfigurationDump;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.DecisionPointConfig;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.doctor.Adapters;
import org.jobgate.container.doctor.Doctor;
import org.jobgate.container.doctor.Finding;
import org.jobgate.container.log.Logging;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.HostCredential;
import org.jobgate.container.tls.NativeCryptography;
import org.jobgate.container.tls.RefusalLog;
import org.jobgate.container.tls.TlsContexts;
import org.jobgate.delegation.token.HttpsKeyFetch;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;
import org.jobgate.store.sql.StoreSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code Main --config FILE}: runs the service until it is told to stop. With {@code --check} it only checks the configuration, with
 * {@code --doctor} it looks at all that the installation needs, with {@code --sudoers ACCOUNT} it prints the rules for sudo, or installs them where {@code --install DIRECTORY} is given as well; with {@code --restore BACKUP}
 * it puts a backup in the place of what a stopped service has.
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

    /** Files and services that decide. */
    private static List<Finding> policies(JobgateConfig config) {
        List<Finding> findings = new ArrayList<>(FileFindings.of(config));
        findings.addAll(CalloutFindings.of(config, Clock.systemUTC()));
        return findings;
    }

    private static final String USAGE_TEXT =
            "usage: org.jobgate.container.Main --config FILE [--check | --doctor | --sudoers ACCOUNT [--install DIRECTORY] | --restore BACKUP]";

    private final Logger log;

    private Main() {
        this.log = LoggerFactory.getLogger(Main.class);
    }

    private enum Task {
        SERVE,
        CHECK,
        DOCTOR,
        SUDOERS,
        RESTORE
    }

    /** What was asked for on the command line. */
    private record Arguments(
            Path config,
            Task task,
            String account,
            @Nullable Path sudoersDirectory,
            @Nullable Path backup) {

        static @Nullable Arguments parse(String[] words) {
            Path config = null;
            Task task = Task.SERVE;
            String account = "";
            Path directory = null;
            Path backup = null;
            for (int i = 0; i < words.length; i++) {
                if (words[i].equals("--config") && i + 1 < words.length) {
                    config = Path.of(words[++i]);
                } else if (words[i].equals("--check")) {
                    task = Task.CHECK;
                } else if (words[i].equals("--doctor")) {
                    task = Task.DOCTOR;
                } else if (words[i].equals("--sudoers") && i + 1 < words.length) {
                    task = Task.SUDOERS;
                    account = words[++i];
                } else if (words[i].equals("--restore") && i + 1 < words.length) {
                    task = Task.RESTORE;
                    backup = Path.of(words[++i]);
                } else if (words[i].equals("--install") && i + 1 < words.length) {
                    directory = Path.of(words[++i]);
                } else {
                    return null;
                }
            }
            return config == null ? null : new Arguments(config, task, account, directory, backup);
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
            return switch (arguments.task()) {
                case SERVE -> serve(config);
                case CHECK -> check(config);
                case DOCTOR -> doctor(config);
                case RESTORE -> restore(config, requireNonNull(arguments.backup()));
                case SUDOERS -> sudoers(config, arguments.account(), arguments.sudoersDirectory());
            };
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
                config.server().hostCertificate(),
                config.server().hostKey(),
                config.credentials().minRsaBits());
        host.warning(Clock.systemUTC()).ifPresent(log::warn);
        RefusalLog refusals = new RefusalLog(System::nanoTime);
        ChainValidator validator =
                new ChainValidator(config.server(), config.credentials(), refusals, Clock.systemUTC());
        try (HttpsKeyFetch fetch =
                Tokens.fetch(config.tokens(), new TlsContexts(host, validator, refusals), new OwnPorts())) {
            Tokens.validator(config, fetch, Clock.systemUTC());
        } finally {
            validator.close();
        }
        refuseMissingMap(config);
        new Adapters(home()).refuseUnknown(config.lrms());
        ConfigurationDump.lines(config).forEach(line -> log.info("{}", line));
        log.info("The configuration is good.");
        return OK;
    }

    /** Good and bad alike are what was asked for, and go to the standard output. */
    private int doctor(JobgateConfig config) {
        List<Finding> findings = new Doctor(config, home(), Clock.systemUTC(), () -> policies(config)).look();
        String proxy = System.getenv("X509_USER_PROXY");
        findings.addAll(new SandboxFindings(config, Clock.systemUTC())
                .look(proxy == null || proxy.isEmpty() ? null : Path.of(proxy)));
        print(findings.stream().map(Finding::line).collect(Collectors.joining("\n", "", "\n")));
        return findings.stream().anyMatch(finding -> finding.grade() == Finding.Grade.BAD) ? REFUSED : OK;
    }

    private int sudoers(JobgateConfig config, String account, @Nullable Path directory) {
        Doctor doctor = new Doctor(config, home(), Clock.systemUTC(), List::of);
        try {
            print(
                    directory == null
                            ? doctor.sudoers(account)
                            : String.join("\n", doctor.installSudoers(account, directory)) + "\n");
            return OK;
        } catch (IOException e) {
            throw new ConfigurationException(List.of(
                    "a file that maps people to accounts cannot be read: " + Reason.of(e) + "; make it readable"));
        }
    }

    private int restore(JobgateConfig config, Path backup) {
        StateDirectory state = StateDirectory.take(config.state().directory());
        try {
            StoreSettings store = Stores.settings(config.store(), state.path());
            List<String> lines = new Restore(
                            state.path(),
                            new Backup.Place(
                                    store.sqliteFileIfAny().orElse(null),
                                    Stores.server(store),
                                    AuditTrail.server(config.audit())),
                            Delegations.siteKey(config.delegation(), state.path()),
                            Clock.systemUTC())
                    .from(backup);
            print(String.join("\n", lines) + "\n");
            return OK;
        } catch (IOException e) {
            throw new ConfigurationException(List.of("the backup cannot be restored: " + Reason.of(e)));
        } finally {
            state.close();
        }
    }

    private static void print(String text) {
        try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the standard output cannot be written", e);
        }
    }

    private int serve(JobgateConfig config) throws InterruptedException {
        Instant startedAt = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
        refuseMissingMap(config);
        Path home = home();
        new Adapters(home).refuseUnknown(config.lrms());
        StateDirectory state = StateDirectory.take(config.state().directory());
        Logging.start(config.log(), state.logs());
        log.info(
                "Jobgate {} starts as process {}.",
                Version.current(),
                ProcessHandle.current().pid());
        NativeCryptography.installSoon();
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
