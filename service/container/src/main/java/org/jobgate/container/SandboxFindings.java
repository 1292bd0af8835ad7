// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.X509Credential;
import eu.emi.security.authn.x509.impl.PEMCredential;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jobgate.authz.Action;
import org.jobgate.authz.AuthzRequest;
import org.jobgate.authz.PointDecision;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.doctor.Finding;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.RefusalLog;
import org.jobgate.gridftp.Delegation;
import org.jobgate.gridftp.GridFtpException;
import org.jobgate.gridftp.GridFtpSession;
import org.jobgate.gridftp.GridFtpSettings;
import org.jobgate.gridftp.GsiSecurity;
import org.jobgate.gridftp.ServerAddress;
import org.jobgate.identity.Identity;
import org.jobgate.transfer.server.FileServer;
import org.jspecify.annotations.Nullable;

/**
 * Whether the GridFTP servers to which clients of CREAM bring their files know a user as the same account that the gateway does: it is
 * proved by logging in with a user's proxy.
 */
final class SandboxFindings {

    private static final String AREA = "sandboxes";

    private final JobgateConfig config;
    private final Clock clock;

    SandboxFindings(JobgateConfig config, Clock clock) {
        this.config = requireNonNull(config, "config is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Nothing where sandboxes are not reached by gsiftp.
     *
     * @param proxy the file of any user's proxy; absent if there is none
     */
    List<Finding> look(@Nullable Path proxy) {
        if (!config.cream().gsiftpSandboxes()) {
            return List.of();
        }
        List<URI> servers = Staging.fileServers(config.staging()).stream()
                .map(FileServer::url)
                .filter(url -> "gsiftp".equalsIgnoreCase(url.getScheme()))
                .distinct()
                .toList();
        if (servers.isEmpty()) {
            return List.of(Finding.bad(
                    AREA,
                    "cream.gsiftpSandboxes is true, and staging.servers names no server of gsiftp",
                    "name the site's server there, or set it to false"));
        }
        if (proxy == null) {
            return List.of(Finding.warning(
                    AREA,
                    "whether " + shown(servers) + " maps users to the accounts that they have here is not proved",
                    "name a user's proxy that this account can read: X509_USER_PROXY=FILE jobgate doctor"));
        }
        try {
            X509Credential credential = credential(proxy);
            return compared(credential, servers);
        } catch (IOException | GeneralSecurityException e) {
            return List.of(Finding.bad(
                    AREA,
                    "the proxy " + proxy + " cannot be used: " + e.getMessage(),
                    "make a new one, in a file that this account can read"));
        }
    }

    private static String shown(List<URI> servers) {
        return String.join(" and ", servers.stream().map(URI::toString).toList());
    }

    private static X509Credential credential(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return new PEMCredential(in, (char[]) null);
        }
    }

    private List<Finding> compared(X509Credential credential, List<URI> servers) throws GeneralSecurityException {
        try (ChainValidator validator =
                new ChainValidator(config.server(), config.credentials(), new RefusalLog(System::nanoTime), clock)) {
            Identity user = validator.validate(credential.getCertificateChain()).identity();
            Optional<String> here = account(user);
            if (here.isEmpty()) {
                return List.of(Finding.warning(
                        AREA,
                        "no file of the configuration maps " + user.subject() + " to an account",
                        "use the proxy of somebody who has jobs here"));
            }
            GsiSecurity security = new GsiSecurity(credential, validator.servers(), Delegation.NONE);
            return servers.stream()
                    .map(server -> compared(server, security, user.subject(), here.get()))
                    .toList();
        }
    }

    private Finding compared(URI server, GsiSecurity security, String subject, String here) {
        int port = server.getPort() < 0 ? ServerAddress.DEFAULT_PORT : server.getPort();
        try (GridFtpSession session = GridFtpSession.open(
                new ServerAddress(server.getHost(), port), security, GridFtpSettings.DEFAULTS, clock)) {
            Optional<String> there = session.account();
            if (there.isEmpty()) {
                return Finding.warning(
                        AREA,
                        server + " lets " + subject + " in and does not say as which account",
                        "look in its log; it must be " + here);
            }
            return there.get().equals(here)
                    ? Finding.good(AREA, server + " maps " + subject + " to " + here + ", as the gateway does")
                    : Finding.bad(
                            AREA,
                            server + " maps " + subject + " to " + there.get() + ", and the gateway to " + here,
                            "give both the same mapping; until then set cream.gsiftpSandboxes to false");
        } catch (GridFtpException e) {
            return Finding.bad(
                    AREA, server + " cannot be used: " + e.getMessage(), "mend the server or staging.servers");
        }
    }

    /** By the first file that maps the user, in the order of the decision points; callouts are not asked. */
    private Optional<String> account(Identity user) {
        AuthzRequest rehearsal = new AuthzRequest(user, Action.SUBMIT, Map.of(), true);
        return FileFindings.maps(config).stream()
                .map(point -> point.judge(rehearsal))
                .flatMap(decision ->
                        decision instanceof PointDecision.Permit permit ? permit.accounts().stream() : Stream.of())
                .findFirst();
    }
}
