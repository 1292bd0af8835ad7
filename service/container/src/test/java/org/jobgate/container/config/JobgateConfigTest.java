// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.jobgate.engine.EngineSettings;
import org.jobgate.limits.JobLimits;
import org.junit.jupiter.api.Test;

/** Repeats every default, so that none changes unnoticed. */
class JobgateConfigTest extends ConfigRoom {

    private static DecisionPointConfig gridMapfileAlone() {
        return new DecisionPointConfig(
                DecisionPointConfig.Kind.GRID_MAPFILE,
                null,
                List.of(),
                null,
                null,
                List.of(
                        "submit=compute.create",
                        "delegate=compute.create",
                        "files=compute.read",
                        "query=compute.read",
                        "manage=compute.cancel",
                        "manage=compute.modify"),
                List.of(),
                "UTC",
                0,
                0,
                null,
                "ce",
                List.of(),
                Duration.ofSeconds(5),
                Duration.ofMinutes(1),
                "site",
                List.of());
    }

    @Test
    void aDecisionPointWithoutWhatItNeedsIsRefused() {
        for (String point : List.of(
                "{ kind: ban-list }",
                "{ kind: fqan-map }",
                "{ kind: time-window }",
                "{ kind: time-window, windows: [ 'Mon 08:00-09:00' ], zone: Mars/Olympus }",
                "{ kind: owner-quota }",
                "{ kind: server-load }",
                "{ kind: callout, url: 'http://x/' }",
                "{ kind: xacml }",
                "{ kind: xacml, url: 'https://x/', resourceType: gate }",
                "{ kind: command, command: [ask] }",
                "{ kind: grid-mapfile, actions: [fly] }")) {
            assertThatThrownBy(() -> read("decisionPoints: [ " + point + " ]"))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("decisionPoints[0]");
        }
    }

    @Test
    void everyDefault() throws IOException {
        Path grid = Path.of("/etc/grid-security");
        assertThat(read(""))
                .isEqualTo(new JobgateConfig(
                        new ServerConfig(
                                "127.0.0.1",
                                8443,
                                "localhost",
                                grid.resolve("hostcert.pem"),
                                grid.resolve("hostkey.pem"),
                                grid.resolve("certificates"),
                                Duration.ofMinutes(10),
                                CrlPolicy.IF_VALID,
                                NamespacePolicy.IF_PRESENT,
                                Duration.ofMinutes(1),
                                Duration.ofMinutes(10),
                                Duration.ofMinutes(1),
                                Duration.ofSeconds(10)),
                        new StateConfig(Path.of("/var/lib/jobgate"), new DataSize(256 * MIB)),
                        new StoreConfig(
                                "sqlite:jobgate.db",
                                null,
                                null,
                                Duration.ofDays(30),
                                4,
                                512,
                                20_000,
                                4096,
                                Duration.ofSeconds(10)),
                        new AuthorizationConfig(
                                grid.resolve("grid-mapfile"),
                                List.of("root"),
                                Duration.ofSeconds(2),
                                CombiningRule.DENY_OVERRIDES,
                                List.of()),
                        List.of(gridMapfileAlone()),
                        List.of(byDefault("Fork")),
                        new WorkersConfig(
                                4,
                                2,
                                8,
                                8,
                                4,
                                10_000,
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(30),
                                Duration.ofMinutes(1)),
                        new LimitsConfig(
                                1_000_000,
                                100_000,
                                4096,
                                1024,
                                new DataSize(65_536),
                                new DataSize(MIB),
                                10_000,
                                256,
                                10_000,
                                100_000,
                                new DataSize(8 * MIB),
                                1_000,
                                1_000,
                                100,
                                new DataSize(65_536),
                                new DataSize(4 * MIB),
                                new DataSize(10 * MIB),
                                new DataSize(64 * MIB),
                                new DataSize(16_384),
                                6000,
                                4096,
                                0,
                                0,
                                Duration.ofSeconds(30),
                                2000),
                        new SelfLimiterConfig(0, 0, 0, 0, 0, 0, 0, 0, 0, Duration.ofSeconds(10)),
                        new GramConfig(
                                null,
                                Duration.ofDays(365),
                                null,
                                Duration.ofDays(1),
                                null,
                                null,
                                1000,
                                1000,
                                1024,
                                16,
                                1_000_000,
                                2_097_152,
                                Duration.ofSeconds(1),
                                20_000,
                                32,
                                64,
                                131_072),
                        new CallbacksConfig(
                                64,
                                8,
                                64,
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(1),
                                Duration.ofMinutes(1),
                                Duration.ofMinutes(10),
                                true,
                                false),
                        new DelegationConfig(
                                true,
                                null,
                                DelegationConfig.ShortPolicy.WARN,
                                DelegationConfig.ExpiryPolicy.WAIT,
                                DelegationConfig.KeyPlace.SERVICE,
                                Duration.ofDays(1),
                                Duration.ofHours(1),
                                100_000,
                                10_000,
                                1000,
                                100,
                                64,
                                Duration.ofSeconds(30)),
                        new MessageSecurityConfig(
                                MessageSecurityConfig.Mode.OFF,
                                List.of(),
                                null,
                                null,
                                false,
                                List.of(),
                                List.of(),
                                Duration.ofMinutes(5),
                                Duration.ofMinutes(1),
                                32_768,
                                200_000,
                                List.of(),
                                Duration.ofHours(1),
                                20_000,
                                200),
                        new FilesConfig(
                                512,
                                64,
                                Duration.ofSeconds(30),
                                new DataSize(64L << 30),
                                new DataSize(256L << 30),
                                1000,
                                Duration.ofSeconds(30),
                                Duration.ofMinutes(1)),
                        List.of(),
                        new ChirpConfig("chirp", Duration.ofDays(7), Duration.ofDays(1), Duration.ofSeconds(15)),
                        List.of(),
                        new ApiConfig(10_000, 500, 2_000, 200, Duration.ofSeconds(15), Duration.ofSeconds(10)),
                        new BesConfig(List.of(), BesConfig.JobProject.LRM, 2_000, 100, 1_000),
                        new CreamConfig(
                                true,
                                List.of(),
                                Duration.ofHours(10),
                                false,
                                Duration.ofDays(10),
                                Duration.ofDays(10),
                                Duration.ofDays(10),
                                Duration.ofDays(10),
                                Duration.ofDays(2),
                                100_000,
                                10_000,
                                1_000),
                        new ArcConfig(
                                ".jobgate/arc",
                                Duration.ofHours(12),
                                Duration.ofMinutes(15),
                                new DataSize(64 * MIB),
                                64,
                                null,
                                false),
                        new SrmConfig(
                                10_000,
                                1_000,
                                100_000,
                                5_000,
                                new DataSize(1024 * MIB),
                                new DataSize(64 * MIB),
                                Duration.ofHours(1),
                                Duration.ofDays(1),
                                Duration.ofMinutes(10),
                                10_000,
                                100,
                                new DataSize(100 * 1024 * MIB),
                                Duration.ofDays(30),
                                SrmConfig.Checksum.ADLER32,
                                new DataSize(64 * MIB),
                                false),
                        new AuditConfig(true, null, null, null, null, null),
                        new StagingConfig(
                                true,
                                30,
                                10,
                                Duration.ofSeconds(30),
                                20,
                                20,
                                4,
                                10,
                                5,
                                20,
                                Duration.ofSeconds(2),
                                Duration.ofMinutes(5),
                                3,
                                Duration.ofMinutes(1),
                                new DataSize(1024),
                                Duration.ofSeconds(5),
                                100_000,
                                false,
                                StagingConfig.Incremental.ASKED,
                                Duration.ofSeconds(10),
                                new DataSize(16 * MIB),
                                16,
                                10_000,
                                1_000,
                                10_000,
                                Duration.ofDays(30),
                                List.of(),
                                null,
                                StagingConfig.ServerSelection.ROUND_ROBIN,
                                null,
                                Duration.ofSeconds(30),
                                null,
                                List.of("file", "https", "gsiftp", "sftp"),
                                List.of(),
                                "never",
                                List.of("zstd:1", "gzip:1", "bzip2:9"),
                                null,
                                "us-east-1",
                                true,
                                false),
                        new LogConfig(Level.INFO, Format.TEXT, Console.AUTO, true, new DataSize(20 * MIB), 5),
                        new MonitoringConfig(MonitoringConfig.Access.PROTECTED),
                        new TracingConfig(null, null, null, 100, 4096),
                        new CredentialsConfig(
                                ClientCertificates.WANT,
                                true,
                                LimitedProxies.READ,
                                grid.resolve("vomsdir"),
                                BadAttributes.IGNORE,
                                2048),
                        List.of(),
                        new TokensConfig(
                                List.of(),
                                true,
                                List.of("compute.read", "compute.create", "compute.modify", "compute.cancel"),
                                List.of("/"),
                                new DataSize(12 * 1024),
                                Duration.ofDays(1),
                                Duration.ofMinutes(1),
                                Duration.ofHours(1),
                                Duration.ofDays(1),
                                Duration.ofSeconds(30),
                                Duration.ofSeconds(10),
                                TokensConfig.Trust.SYSTEM),
                        List.of(),
                        new SignInConfig(
                                null,
                                null,
                                null,
                                null,
                                List.of(),
                                Duration.ofHours(10),
                                Duration.ofHours(1),
                                10_000,
                                10,
                                16,
                                4),
                        new ClientsConfig(
                                6000, 2000, Duration.ofSeconds(30), new DataSize(512), Duration.ofSeconds(30)),
                        doors(Map.of())));
    }

    @Test
    void whoIsToSignUsersInIsNamedWhole() {
        String whole = "issuer: 'https://id.example.org/a', clientId: gate, clientSecretFile: secret";
        for (String wrong : List.of(
                "issuer: 'https://id.example.org/a'",
                "issuer: 'https://id.example.org/a', clientId: gate",
                "issuer: 'https://id.example.org/a', clientSecretFile: secret",
                whole.replace("https:", "http:"),
                whole.replace("/a", "/a,b"),
                whole.replace("/a", "/a?b=c"),
                whole + ", redirect: 'https://gate.example.org/'",
                whole + ", redirect: 'http://gate.example.org/console/callback'",
                whole + ", redirect: 'https://gate.example.org/?to=/console/callback'",
                whole + ", scopes: [ 'two words' ]",
                whole + ", lifetime: 30s",
                whole + ", maxSessions: 0")) {
            assertThatThrownBy(() -> read("signIn: { " + wrong + " }"))
                    .as(wrong)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("signIn");
        }
    }

    @Test
    void theDefaultLimitsAreThoseOfTheCore() throws IOException {
        assertThat(read("").limits().jobLimits()).isEqualTo(JobLimits.defaults());
    }

    @Test
    void theDefaultWorkersAreThoseOfTheCore() throws IOException {
        JobgateConfig config = read("");
        assertThat(config.workers().engineSettings(config.store().keepFinished()))
                .isEqualTo(EngineSettings.defaults());
    }
}
