// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jobgate.authz.CombiningRule;
import org.jobgate.container.config.CredentialsConfig.BadAttributes;
import org.jobgate.container.config.CredentialsConfig.ClientCertificates;
import org.jobgate.container.config.CredentialsConfig.LimitedProxies;
import org.jobgate.container.config.LogConfig.Console;
import org.jobgate.container.config.LogConfig.Format;
import org.jobgate.container.config.LogConfig.Level;
import org.jobgate.container.config.ServerConfig.CrlPolicy;
import org.jobgate.container.config.ServerConfig.NamespacePolicy;
import org.junit.jupiter.api.Test;

/** Repeats every name, so that none changes unnoticed. */
class JobgateConfigNamesTest extends ConfigRoom {

    @Test
    void everyName() throws IOException {
        JobgateConfig config = read("""
                server:
                  host: 0.0.0.0
                  port: 9443
                  publicName: gate.example.org
                  hostCertificate: a/cert.pem
                  hostKey: a/key.pem
                  trustDirectory: /trust
                  trustReload: 1m
                  crls: require
                  namespaces: ignore
                  validationCache: 0s
                  sessionLifetime: 5m
                  idleTimeout: 90s
                  stopTimeout: 250ms
                state: { directory: state, minFreeSpace: 1GiB }
                store: { url: "jdbc:postgresql://db/jobs", user: gate, passwordFile: pw, keepFinished: 7d, maxReaders: 1,
                         maxBatch: 2, maxQueuedWrites: 3, recentChanges: 4, timeout: 5s }
                authorization: { gridMapfile: map, deniedAccounts: [root, toor], gridMapfileCheck: 1s,
                                 combiningRule: permit-overrides-with-delegation, administrators: [ /O=Grid/CN=Root ] }
                decisionPoints:
                  - { kind: command, name: asks, actions: [submit, query], file: f, poolDirectory: pool, scopes: [submit=x],
                      windows: [ 'Mon 08:00-09:00' ], zone: Europe/Berlin, maxLoadPercent: 150, maxJobs: 7, url: 'https://x/', resourceType: se,
                      command: [/bin/ask, -v], timeout: 2s, keepAnswer: 3s, issuer: vo, trusts: [partner] }
                lrms:
                  - { name: Here, adapter: slurm, legacy: true, maxRunning: 7, spool: '/var/spool/$${account}', perl: /opt/perl,
                      sudo: /opt/sudo, batchLimit: 8, requestTimeout: 9s, idleEnd: 2m, grace: 3s,
                      submitsAtOnce: 21, maxJobs: 22, maxJobsPerOwner: 23, maxJobsPerQueue: 24, pollInterval: 25s,
                      queueInterval: 26s, earlyRefusal: false, segCommand: [/opt/seg, -s, here], segLog: seg.log,
                      substitutionDefinitions: definitions, substitutionRefresh: 1h,
                      options: [condor_bin=/opt/condor/bin] }
                  - { name: There }
                workers: { submit: 11, cancel: 12, stageIn: 13, stageOut: 14, cleanUp: 15, queueLimit: 16, sweepInterval: 170ms,
                           cancelRetry: 18s, longestPause: 19s }
                limits:
                  maxLiveJobs: 1_000
                  maxLiveJobsPerOwner: 100
                  maxArguments: 10
                  maxEnvironment: 20
                  maxTextBytes: 1KiB
                  maxDescriptionBytes: 2KiB
                  maxCount: 3
                  maxSubJobs: 4
                  maxJobsAtOnce: 9_000
                  maxGroupElements: 9_001
                  maxGroupBytes: 7MiB
                  maxGroupsPerOwner: 9_002
                  maxGroupRunning: 9_003
                  maxAfter: 904
                  maxRegistrantBytes: 5KiB
                  maxRendezvousBytes: 6MiB
                  maxBodyBytes: 4KiB
                  maxBodyBytesInFlight: 5MiB
                  maxHeaderBytes: 6KiB
                  maxConnections: 7
                  maxConcurrentRequests: 8
                  maxWorking: 12
                  maxHandshakes: 13
                  maxWait: 9s
                  maxWaitingRequests: 11
                gram: { defaultJobLifetime: 1d, maxJobLifetime: 2d, maxJobLifetimeGt40: 3d, keepAfterEnd: 4d, keepAfterEndGt40: 5d,
                        scratchBaseDirectory: /scratch, maxBulkJobs: 6, maxListedJobs: 7,
                        maxQueryCharacters: 8, maxQueryNesting: 9, maxQueryVisits: 10, maxQueryResultCharacters: 11,
                        maxQueryTime: 12s, maxXmlElements: 130, maxXmlDepth: 20, maxXmlAttributes: 15, maxXmlTextCharacters: 1600 }
                callbacks: { maxDeliveries: 1, maxSubscriptionsPerJob: 2, maxWaitingMessages: 3, timeout: 4s, firstRetry: 5s,
                             slowestRetry: 6s, giveUpAfter: 7s, allowPrivateAddresses: false, allowLoopbackAddresses: true }
                delegation: { enabled: false, siteKey: site.key, shortCredential: refuse, expiredCredential: fail, jobKeys: account, keepExpired: 2d,
                              warnBefore: 3h, maxCredentials: 4, maxCredentialsPerOwner: 5, maxPendingKeys: 6,
                              maxPendingKeysPerOwner: 9, readyKeys: 7,
                              sweepInterval: 8s }
                messageSecurity: { mode: accept, services: [ DelegationService=require ], passwordFile: words, pamService: gate, sha1: true, unaddressed: [ BESFactory ], names: [ "relay.example.org:9000" ],
                                   maxAge: 9m, skew: 2m, maxTokenCharacters: 2048, maxRemembered: 300,
                                   conversations: [ all ], contextLifetime: 3h, maxContexts: 400, maxContextsOfOne: 5 }
                api: { maxListedJobs: 12, maxWaitingPerOwner: 13, maxFollowers: 14, maxFollowersPerOwner: 15, keepAlive: 16s, slowestFollower: 17s }
                bes: { administrators: [ /O=Grid/CN=Admin ], jobProject: note, maxIdentifiers: 18, maxActivityReferences: 19, maxListedPoints: 20 }
                cream: { requireDelegation: false, administrators: [ /CN=Root ], maxLeaseTime: 1h, gsiftpSandboxes: true, keepDoneOk: 2h, keepDoneFailed: 3h, keepAborted: 4h,
                  keepCancelled: 5h, keepRegistered: 6h, maxListedJobs: 7, maxEvents: 8, maxLeasesPerOwner: 9 }
                arc: { sessions: own/arc, inputWait: 5m, keepCleaned: 6m, maxIdList: 2KiB, memoryFloor: 32 }
                selfLimiter: { load1: 41, load5: 42, load15: 43, memory: 44, swap: 45, descriptors: 46, disk: 47, activeJobs: 48, pendingCommands: 49, interval: 50s }
                audit: { enabled: false, url: "jdbc:postgresql://db/audit", user: clerk, passwordFile: apw, keepRecords: 700d, keepNames: 90d }
                files: { maxReaders: 8, maxReadersPerOwner: 9, maxWait: 10s, maxFileSize: 1000B, maxUploadBytesPerJob: 2000B, maxUploadsPerJob: 3, answerTimeout: 11s, idleEnd: 12s }
                srm: { maxListedEntries: 18, maxPaths: 19, maxRequests: 20, maxRequestsPerOwner: 21, maxRequestSizes: 2MiB, maxRequestSizesPerOwner: 3MiB, requestLifetime: 22m,
                  maxRequestLifetime: 23h, keepFinished: 24m, maxSpaces: 25, maxSpacesPerOwner: 26, maxReservedPerOwner: 27B, maxSpaceLifetime: 28h, checksum: md5, maxChecksumSize: 1MiB, localFiles: true }
                fileTrees: [ { name: home, path: "$${home}", writable: true, accounts: [ "atlas*", ops ], writers: [ ops ], blocked: [ .ssh, "$${account}/keys" ], readOnly: [ old/data ] }, { name: work, path: "/work/$${account}" } ]
                chirp: { program: /opt/cctools/bin/chirp, longestTicket: 3d, margin: 4h, answerTimeout: 5s }
                chirpServers: [ { name: data, address: "data.example.org:9094", directories: [ /pub ], writable: [ "/home/$${account}" ] } ]
                staging: {
                  enabled: false, maxActive: 2, maxActiveLocal: 25, shareAfter: 26s, maxActivePerOwner: 3, maxActivePerServer: 4, concurrency: 5, maxActivePerRequest: 6,
                  attempts: 7, maxAttempts: 8, firstRetry: 9s, slowestRetry: 10s, failuresToPause: 11, idleTimeout: 12s, leastRate: 2KiB,
                  markInterval: 13s, maxEntries: 14, stageOutOnFailure: true,
                  incremental: always, incrementalInterval: 20s, incrementalBytes: 2KiB, incrementalFiles: 21,
                  maxRequests: 15, maxRequestsPerOwner: 16, maxRequestFiles: 17,
                  maxRequestLifetime: 18d, servers: [ /home=gsiftp://door/x ], fileSystemMaps: /etc/maps.xml,
                  serverSelection: least-load, serverPlugIn: own, serverProbeInterval: 19s, dataPorts: 50000-50100,
                  protocols: [ file, ftp ], httpHosts: [ data.example.org, "*.example.net:8080" ],
                  compress: auto, codecs: [ "zip:6" ], s3Endpoint: "https://store.example.org", s3Region: here-1, allowPrivateAddresses: false,
                  allowLoopbackAddresses: true
                }
                log: { level: debug, format: json, console: "off", access: false, fileSize: 1MiB, files: 2 }
                monitoring: { access: open }
                tracing: { endpoint: "https://collector/v1/traces", trustedCertificates: tca, authorizationFile: tauth, percent: 7, maxQueued: 513 }
                credentials:
                  { clientCertificates: need, tokens: false, limitedProxies: submit, vomsDirectory: vd, badAttributes: refuse, minRsaBits: 1024 }
                ports: [ { port: 9444, host: "::1", clientCertificates: none, tokens: true, paths: [ /jobs ] } ]
                tokens:
                  { audiences: [ a, b ], anyAudience: false, requiredScopes: [ job ], paths: [ /wsrf ], maxBytes: 1KiB, maxLifetime: 1h, clockSkew: 0s,
                    keysFresh: 2h, keysGrace: 3h, keysPause: 1s, keysTimeout: 2s, trust: grid }
                tokenIssuers:
                  - { issuer: "https://a.example.org/", profile: scitokens, keysFile: keys.json, groups: [ /atlas ] }
                  - { issuer: "https://b.example.org/", profile: plain, keysUrl: "https://b.example.org/jwk" }
                signIn: { issuer: "https://id.example.org/", clientId: gate, clientSecretFile: secret, redirect: "https://gate.example.org/console/callback",
                  scopes: [ compute.read ], lifetime: 2h, idle: 2m, maxSessions: 3, maxSessionsPerSubject: 2, maxAtOnce: 5, maxAtOncePerAddress: 1 }
                doors: { gram: { enabled: false, port: 9445, maxBodyBytes: 2KiB } }
                clients: { maxPerAddress: 2, maxSilentPerAddress: 1, headTimeout: 2s, minBodyRate: 1KiB, bodyGrace: 3s }
                """);
        assertThat(config)
                .isEqualTo(new JobgateConfig(
                        new ServerConfig(
                                "0.0.0.0",
                                9443,
                                "gate.example.org",
                                folder.resolve("a/cert.pem"),
                                folder.resolve("a/key.pem"),
                                Path.of("/trust"),
                                Duration.ofMinutes(1),
                                CrlPolicy.REQUIRE,
                                NamespacePolicy.IGNORE,
                                Duration.ZERO,
                                Duration.ofMinutes(5),
                                Duration.ofSeconds(90),
                                Duration.ofMillis(250)),
                        new StateConfig(folder.resolve("state"), new DataSize(1024 * MIB)),
                        new StoreConfig(
                                "jdbc:postgresql://db/jobs",
                                "gate",
                                folder.resolve("pw"),
                                Duration.ofDays(7),
                                1,
                                2,
                                3,
                                4,
                                Duration.ofSeconds(5)),
                        new AuthorizationConfig(
                                folder.resolve("map"),
                                List.of("root", "toor"),
                                Duration.ofSeconds(1),
                                CombiningRule.PERMIT_OVERRIDES_WITH_DELEGATION,
                                List.of("/O=Grid/CN=Root")),
                        List.of(new DecisionPointConfig(
                                DecisionPointConfig.Kind.COMMAND,
                                "asks",
                                List.of("submit", "query"),
                                folder.resolve("f"),
                                folder.resolve("pool"),
                                List.of("submit=x"),
                                List.of("Mon 08:00-09:00"),
                                "Europe/Berlin",
                                150,
                                7,
                                "https://x/",
                                "se",
                                List.of("/bin/ask", "-v"),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(3),
                                "vo",
                                List.of("partner"))),
                        List.of(
                                new LrmConfig(
                                        "Here",
                                        "slurm",
                                        true,
                                        7,
                                        "/var/spool/${account}",
                                        Path.of("/opt/perl"),
                                        Path.of("/opt/sudo"),
                                        8,
                                        Duration.ofSeconds(9),
                                        Duration.ofMinutes(2),
                                        Duration.ofSeconds(3),
                                        21,
                                        22,
                                        23,
                                        24,
                                        Duration.ofSeconds(25),
                                        Duration.ofSeconds(26),
                                        false,
                                        List.of("/opt/seg", "-s", "here"),
                                        folder.resolve("seg.log"),
                                        folder.resolve("definitions"),
                                        Duration.ofHours(1),
                                        List.of("condor_bin=/opt/condor/bin")),
                                byDefault("There")),
                        new WorkersConfig(
                                11,
                                12,
                                13,
                                14,
                                15,
                                16,
                                Duration.ofMillis(170),
                                Duration.ofSeconds(18),
                                Duration.ofSeconds(19)),
                        new LimitsConfig(
                                1000,
                                100,
                                10,
                                20,
                                new DataSize(1024),
                                new DataSize(2048),
                                3,
                                4,
                                9_000,
                                9_001,
                                new DataSize(7 * MIB),
                                9_002,
                                9_003,
                                904,
                                new DataSize(5120),
                                new DataSize(6 * MIB),
                                new DataSize(4096),
                                new DataSize(5 * MIB),
                                new DataSize(6144),
                                7,
                                8,
                                12,
                                13,
                                Duration.ofSeconds(9),
                                11),
                        new SelfLimiterConfig(41, 42, 43, 44, 45, 46, 47, 48, 49, Duration.ofSeconds(50)),
                        new GramConfig(
                                Duration.ofDays(1),
                                Duration.ofDays(2),
                                Duration.ofDays(3),
                                Duration.ofDays(4),
                                Duration.ofDays(5),
                                Path.of("/scratch"),
                                6,
                                7,
                                8,
                                9,
                                10,
                                11,
                                Duration.ofSeconds(12),
                                130,
                                20,
                                15,
                                1600),
                        new CallbacksConfig(
                                1,
                                2,
                                3,
                                Duration.ofSeconds(4),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(6),
                                Duration.ofSeconds(7),
                                false,
                                true),
                        new DelegationConfig(
                                false,
                                folder.resolve("site.key"),
                                DelegationConfig.ShortPolicy.REFUSE,
                                DelegationConfig.ExpiryPolicy.FAIL,
                                DelegationConfig.KeyPlace.ACCOUNT,
                                Duration.ofDays(2),
                                Duration.ofHours(3),
                                4,
                                5,
                                6,
                                9,
                                7,
                                Duration.ofSeconds(8)),
                        new MessageSecurityConfig(
                                MessageSecurityConfig.Mode.ACCEPT,
                                List.of("DelegationService=require"),
                                folder.resolve("words"),
                                "gate",
                                true,
                                List.of("BESFactory"),
                                List.of("relay.example.org:9000"),
                                Duration.ofMinutes(9),
                                Duration.ofMinutes(2),
                                2048,
                                300,
                                List.of("all"),
                                Duration.ofHours(3),
                                400,
                                5),
                        new FilesConfig(
                                8,
                                9,
                                Duration.ofSeconds(10),
                                new DataSize(1000),
                                new DataSize(2000),
                                3,
                                Duration.ofSeconds(11),
                                Duration.ofSeconds(12)),
                        List.of(
                                new FileTreeConfig(
                                        "home",
                                        "${home}",
                                        true,
                                        List.of("atlas*", "ops"),
                                        List.of("ops"),
                                        List.of(".ssh", "${account}/keys"),
                                        List.of("old/data")),
                                new FileTreeConfig(
                                        "work", "/work/${account}", false, List.of(), List.of(), List.of(), List.of())),
                        new ChirpConfig(
                                "/opt/cctools/bin/chirp",
                                Duration.ofDays(3),
                                Duration.ofHours(4),
                                Duration.ofSeconds(5)),
                        List.of(new ChirpServerConfig(
                                "data", "data.example.org:9094", List.of("/pub"), List.of("/home/${account}"))),
                        new ApiConfig(12, 13, 14, 15, Duration.ofSeconds(16), Duration.ofSeconds(17)),
                        new BesConfig(List.of("/O=Grid/CN=Admin"), BesConfig.JobProject.NOTE, 18, 19, 20),
                        new CreamConfig(
                                false,
                                List.of("/CN=Root"),
                                Duration.ofHours(1),
                                true,
                                Duration.ofHours(2),
                                Duration.ofHours(3),
                                Duration.ofHours(4),
                                Duration.ofHours(5),
                                Duration.ofHours(6),
                                7,
                                8,
                                9),
                        new ArcConfig(
                                "own/arc",
                                Duration.ofMinutes(5),
                                Duration.ofMinutes(6),
                                new DataSize(2048),
                                32,
                                null,
                                false),
                        new SrmConfig(
                                18,
                                19,
                                20,
                                21,
                                new DataSize(2 * MIB),
                                new DataSize(3 * MIB),
                                Duration.ofMinutes(22),
                                Duration.ofHours(23),
                                Duration.ofMinutes(24),
                                25,
                                26,
                                new DataSize(27),
                                Duration.ofHours(28),
                                SrmConfig.Checksum.MD5,
                                new DataSize(MIB),
                                true),
                        new AuditConfig(
                                false,
                                "jdbc:postgresql://db/audit",
                                "clerk",
                                folder.resolve("apw"),
                                Duration.ofDays(700),
                                Duration.ofDays(90)),
                        new StagingConfig(
                                false,
                                2,
                                25,
                                Duration.ofSeconds(26),
                                3,
                                4,
                                5,
                                6,
                                7,
                                8,
                                Duration.ofSeconds(9),
                                Duration.ofSeconds(10),
                                11,
                                Duration.ofSeconds(12),
                                new DataSize(2048),
                                Duration.ofSeconds(13),
                                14,
                                true,
                                StagingConfig.Incremental.ALWAYS,
                                Duration.ofSeconds(20),
                                new DataSize(2048),
                                21,
                                15,
                                16,
                                17,
                                Duration.ofDays(18),
                                List.of("/home=gsiftp://door/x"),
                                Path.of("/etc/maps.xml"),
                                StagingConfig.ServerSelection.LEAST_LOAD,
                                "own",
                                Duration.ofSeconds(19),
                                "50000-50100",
                                List.of("file", "ftp"),
                                List.of("data.example.org", "*.example.net:8080"),
                                "auto",
                                List.of("zip:6"),
                                "https://store.example.org",
                                "here-1",
                                false,
                                true),
                        new LogConfig(Level.DEBUG, Format.JSON, Console.OFF, false, new DataSize(MIB), 2),
                        new MonitoringConfig(MonitoringConfig.Access.OPEN),
                        new TracingConfig(
                                "https://collector/v1/traces", folder.resolve("tca"), folder.resolve("tauth"), 7, 513),
                        new CredentialsConfig(
                                ClientCertificates.NEED,
                                false,
                                LimitedProxies.SUBMIT,
                                folder.resolve("vd"),
                                BadAttributes.REFUSE,
                                1024),
                        List.of(new PortConfig(9444, "::1", ClientCertificates.NONE, true, List.of("/jobs"))),
                        new TokensConfig(
                                List.of("a", "b"),
                                false,
                                List.of("job"),
                                List.of("/wsrf"),
                                new DataSize(1024),
                                Duration.ofHours(1),
                                Duration.ZERO,
                                Duration.ofHours(2),
                                Duration.ofHours(3),
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                TokensConfig.Trust.GRID),
                        List.of(
                                new TokenIssuerConfig(
                                        "https://a.example.org/",
                                        TokenIssuerConfig.Profile.SCITOKENS,
                                        null,
                                        folder.resolve("keys.json"),
                                        List.of("/atlas")),
                                new TokenIssuerConfig(
                                        "https://b.example.org/",
                                        TokenIssuerConfig.Profile.PLAIN,
                                        "https://b.example.org/jwk",
                                        null,
                                        List.of())),
                        new SignInConfig(
                                "https://id.example.org/",
                                "gate",
                                folder.resolve("secret"),
                                "https://gate.example.org/console/callback",
                                List.of("compute.read"),
                                Duration.ofHours(2),
                                Duration.ofMinutes(2),
                                3,
                                2,
                                5,
                                1),
                        new ClientsConfig(2, 1, Duration.ofSeconds(2), new DataSize(1024), Duration.ofSeconds(3)),
                        doors(Map.of("gram", new DoorConfig(false, 9445, new DataSize(2048))))));
    }
}
