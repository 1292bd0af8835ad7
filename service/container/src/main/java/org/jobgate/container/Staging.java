// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jobgate.adapter.FileWorkers;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.container.admin.TransferPool;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.StagingConfig;
import org.jobgate.container.metrics.TransferMetrics;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.TlsContexts;
import org.jobgate.gram.service.AccountHomes;
import org.jobgate.gridftp.ConnectRule;
import org.jobgate.gridftp.GridFtpPool;
import org.jobgate.gridftp.GridFtpSettings;
import org.jobgate.gridftp.PortRange;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.limits.Limit;
import org.jobgate.store.JobStore;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.TransferCredentials;
import org.jobgate.transfer.TransferEngine;
import org.jobgate.transfer.TransferSettings;
import org.jobgate.transfer.file.EmptyProtocol;
import org.jobgate.transfer.file.FileProtocol;
import org.jobgate.transfer.file.SmallFiles;
import org.jobgate.transfer.ftp.FtpProtocol;
import org.jobgate.transfer.gsiftp.GsiftpProtocol;
import org.jobgate.transfer.https.HttpsProtocol;
import org.jobgate.transfer.https.PackingSettings;
import org.jobgate.transfer.https.PlainHosts;
import org.jobgate.transfer.job.AccountPlaces;
import org.jobgate.transfer.job.FileRules;
import org.jobgate.transfer.job.IncrementalOutput;
import org.jobgate.transfer.job.JobFiles;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.TransferCredential;
import org.jobgate.transfer.protocol.TransferProxy;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jobgate.transfer.s3.S3Protocol;
import org.jobgate.transfer.s3.S3Settings;
import org.jobgate.transfer.server.FileServer;
import org.jobgate.transfer.server.FileServers;
import org.jobgate.transfer.server.ServerChoice;
import org.jobgate.transfer.server.ServerProbe;
import org.jobgate.transfer.sftp.SftpProtocol;
import org.jspecify.annotations.Nullable;

/** Makes the transfer engine and its parts from the settings in the configuration. */
final class Staging {

    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(5);

    private Staging() {}

    /** The protocols that files are moved with; another one is one more line. */
    static Protocols protocols(
            StagingConfig config, FileWorkers files, TlsContexts tls, OwnPorts ports, Supplier<Protocol> gridFtp) {
        UrlPolicy policy = policy(config, ports);
        PackingSettings packing = packing(config);
        SmallFiles own = new SmallFiles(files);
        Map<String, Supplier<Protocol>> known = new LinkedHashMap<>();
        known.put("file", () -> new FileProtocol(files, files));
        known.put(
                "https",
                () -> new HttpsProtocol(credential -> tlsOf(credential, tls), config.idleTimeout(), policy, packing));
        known.put("gsiftp", gridFtp);
        known.put("sftp", () -> new SftpProtocol(own, config.idleTimeout(), policy));
        known.put("ftp", () -> new FtpProtocol(config.idleTimeout(), policy));
        Set<String> names = new LinkedHashSet<>(config.protocols());
        if (!known.keySet().containsAll(names)) {
            throw new ConfigurationException(
                    List.of("staging.protocols may only name " + String.join(", ", known.keySet()) + "; it is "
                            + String.join(", ", names)
                            + ". For s3 set staging.s3Endpoint, for http staging.httpHosts; scp comes with sftp."));
        }
        PlainHosts plain = plainHosts(config);
        S3Settings store = store(config);
        List<Protocol> used = new ArrayList<>(List.of(new EmptyProtocol()));
        known.forEach((name, protocol) -> {
            if (names.contains(name)) {
                used.add(protocol.get());
            }
        });
        if (!plain.isEmpty()) {
            used.add(HttpsProtocol.plain(credential -> tlsOf(null, tls), config.idleTimeout(), policy, packing, plain));
        }
        if (store != null) {
            used.add(new S3Protocol(
                    store,
                    own,
                    tls.forFiles(List.of(), null),
                    config.idleTimeout(),
                    new UrlPolicy(Destinations.ofSite(ports))));
        }
        return new Protocols(used);
    }

    private static PlainHosts plainHosts(StagingConfig config) {
        try {
            return PlainHosts.parse(config.httpHosts());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("staging.httpHosts cannot be used: " + e.getMessage() + "."));
        }
    }

    private static PackingSettings packing(StagingConfig config) {
        try {
            return PackingSettings.parse(config.compress(), config.codecs());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    List.of("staging.compress or staging.codecs cannot be used: " + e.getMessage() + "."));
        }
    }

    private static @Nullable S3Settings store(StagingConfig config) {
        String endpoint = config.s3Endpoint();
        try {
            return endpoint == null ? null : new S3Settings(URI.create(endpoint), config.s3Region());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    List.of("staging.s3Endpoint or staging.s3Region cannot be used: " + e.getMessage() + "."));
        }
    }

    /** Third party needs a session at each of two servers, so there may be twice as many as files are moved at once. */
    static Protocol gridFtp(StagingConfig config, ChainValidator validator, OwnPorts ports, Clock clock) {
        GridFtpSettings settings = GridFtpSettings.DEFAULTS
                .withTimeouts(GridFtpSettings.DEFAULTS.replyTimeout(), config.idleTimeout())
                .withDataPorts(dataPorts(config))
                .withConnectRule(connectRule(config, ports));
        GridFtpPool.Limits limits = new GridFtpPool.Limits(
                Math.toIntExact(2 * config.maxActive()),
                GridFtpPool.Limits.DEFAULTS.maxIdle(),
                GridFtpPool.Limits.DEFAULTS.idleLifetime(),
                GridFtpPool.Limits.DEFAULTS.leaseTimeout());
        return new GsiftpProtocol(
                new GridFtpPool(settings, limits, clock), validator.servers(), config.dataPorts() != null);
    }

    /** The site has configured its file servers itself, so they may be in its own networks. */
    private static ConnectRule connectRule(StagingConfig config, OwnPorts ports) {
        UrlPolicy clients = policy(config, ports);
        UrlPolicy site = new UrlPolicy(Destinations.ofSite(ports));
        Set<String> own = fileServers(config).stream()
                .map(server -> server.url().getHost().toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        return (server, address, port) -> (own.contains(server.host().toLowerCase(Locale.ROOT)) ? site : clients)
                .check(server.host(), address, port);
    }

    private static PortRange dataPorts(StagingConfig config) {
        String text = config.dataPorts();
        try {
            return text == null ? PortRange.ANY : PortRange.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("staging.dataPorts cannot be used: " + e.getMessage() + "."));
        }
    }

    private static UrlPolicy policy(StagingConfig config, OwnPorts ports) {
        return new UrlPolicy(
                new Destinations(ports, "staging", config.allowPrivateAddresses(), config.allowLoopbackAddresses()));
    }

    /** TLS does not use the token; it is sent with the requests. */
    private static SSLContext tlsOf(@Nullable TransferCredential credential, TlsContexts tls) {
        return credential instanceof TransferProxy proxy
                ? tls.forFiles(proxy.chain(), proxy.key())
                : tls.forFiles(List.of(), null);
    }

    static TransferEngine engine(
            StagingConfig config,
            Protocols protocols,
            OwnPorts ports,
            TransferCredentials credentials,
            JobStore store,
            Clock clock,
            SecureRandom random) {
        return new TransferEngine(
                settings(config),
                protocols,
                policy(config, ports),
                selection(config, random).watch(config.serverProbeInterval()),
                credentials,
                store,
                clock,
                random);
    }

    private static FileServers selection(StagingConfig config, SecureRandom random) {
        return new FileServers(
                fileServers(config), choice(config, random), ServerProbe.greeting(PROBE_PATIENCE), System::nanoTime);
    }

    /** The file servers that the site names. */
    static List<FileServer> fileServers(StagingConfig config) {
        List<FileServer> all = new ArrayList<>();
        try {
            config.servers().forEach(text -> all.add(FileServer.parse(text)));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("staging.servers: " + e.getMessage() + "."));
        }
        java.nio.file.Path maps = config.fileSystemMaps();
        if (maps != null) {
            try {
                all.addAll(FileSystemMaps.read(maps));
            } catch (IOException e) {
                throw new ConfigurationException(
                        List.of("staging.fileSystemMaps = " + maps + " cannot be used: " + e.getMessage() + "."));
            }
        }
        return all;
    }

    private static ServerChoice choice(StagingConfig config, SecureRandom random) {
        String plugIn = config.serverPlugIn();
        if (plugIn != null) {
            return ServerPlugIns.find(plugIn);
        }
        return switch (config.serverSelection()) {
            case ROUND_ROBIN -> ServerChoice.roundRobin();
            case RANDOM -> ServerChoice.random(random);
            case LEAST_LOAD -> ServerChoice.leastLoad();
        };
    }

    private static TransferSettings settings(StagingConfig config) {
        return new TransferSettings(
                new TransferSettings.AtOnce(
                        new Limit("staging.maxActive", config.maxActive()),
                        new Limit("staging.maxActivePerOwner", config.maxActivePerOwner()),
                        new Limit("staging.maxActivePerServer", config.maxActivePerServer()),
                        config.concurrency(),
                        new Limit("staging.maxActivePerRequest", config.maxActivePerRequest()),
                        new Limit("staging.maxActiveLocal", config.maxActiveLocal()),
                        config.shareAfter()),
                new TransferSettings.Tries(
                        config.attempts(),
                        new Limit("staging.maxAttempts", config.maxAttempts()),
                        config.firstRetry(),
                        config.slowestRetry(),
                        config.failuresToPause(),
                        config.idleTimeout(),
                        config.leastRate().bytes()),
                config.markInterval(),
                new Limit("staging.maxEntries", config.maxEntries()),
                new TransferSettings.Following(
                        config.incrementalInterval(),
                        config.incrementalBytes().bytes(),
                        Math.toIntExact(config.incrementalFiles())));
    }

    /** @param engine absent where no files are moved */
    static TransferPool pool(@Nullable TransferEngine engine) {
        if (engine == null) {
            return TransferPool.NONE;
        }
        return new TransferPool() {
            @Override
            public Figures figures() {
                TransferEngine.Figures now = engine.figures();
                return new Figures(engine.allowed(), now.active(), now.waiting());
            }

            @Override
            public void resize(int most) {
                engine.allow(most);
            }
        };
    }

    static TransferMetrics.Figures figures(TransferEngine engine) {
        TransferEngine.Figures now = engine.figures();
        return new TransferMetrics.Figures(
                now.active(), now.waiting(), now.made(), now.failed(), now.retried(), now.bytes());
    }

    private static IncrementalOutput incremental(StagingConfig config) {
        IncrementalOutput.Rule rule = switch (config.incremental()) {
            case NEVER -> IncrementalOutput.Rule.NEVER;
            case ASKED -> IncrementalOutput.Rule.ASKED;
            case ALWAYS -> IncrementalOutput.Rule.ALWAYS;
        };
        return new IncrementalOutput(rule, new Limit("staging.incrementalFiles", config.incrementalFiles()));
    }

    /** @param homes of the accounts, for scratch directories below them */
    static JobFiles jobFiles(JobgateConfig config, TransferEngine engine, Protocols protocols, AccountHomes homes) {
        UnaryOperator<String> home = account -> homes.home(account)
                .orElseThrow(() -> new FaultException(Fault.of(
                        FaultCode.INTERNAL,
                        "The account " + account + " has no home directory.",
                        "Tell the site's administrator; gram.scratchBaseDirectory does without.")));
        AccountPlaces places = account -> {
            java.nio.file.Path base = config.gram().scratchBaseDirectory();
            return base == null ? home.apply(account) + "/.globus/scratch" : base.toString();
        };
        return new JobFiles(
                engine,
                new FileRules(protocols, incremental(config.staging())),
                places,
                config.staging().stageOutOnFailure());
    }
}
