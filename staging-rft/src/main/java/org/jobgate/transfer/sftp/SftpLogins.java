// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.sftp;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.auth.keyboard.UserAuthKeyboardInteractiveFactory;
import org.apache.sshd.client.auth.password.PasswordIdentityProvider;
import org.apache.sshd.client.auth.password.UserAuthPasswordFactory;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.kex.KexProposalOption;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.sftp.SftpModuleProperties;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClientFactory;
import org.apache.sshd.sftp.client.impl.AbstractSftpClient;
import org.jobgate.transfer.file.SmallFiles;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.TransferPassword;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Logs in at SSH servers: with the keys of a job's account, or with the password that the job has for the file, at hosts that this account
 * knows only. Nothing of the service's own
 * account is read: no keys, no configuration, no agent.
 */
final class SftpLogins implements AutoCloseable {

    private static final AttributeKey<Server> SERVER = new AttributeKey<>();

    /** A server that is being asked, and what was found of its key. */
    private static final class Server {
        private final SftpPlace place;
        private final KnownHosts hosts;
        private volatile KnownHosts.@Nullable Verdict verdict;

        Server(SftpPlace place, KnownHosts hosts) {
            this.place = place;
            this.hosts = hosts;
        }
    }

    private final SmallFiles files;
    private final Duration timeout;
    private final UrlPolicy policy;
    private @Nullable SshClient client;
    private boolean isClosed;

    SftpLogins(SmallFiles files, Duration timeout, UrlPolicy policy) {
        this.policy = requireNonNull(policy, "policy is null");
        this.files = requireNonNull(files, "files is null");
        this.timeout = requireNonNull(timeout, "timeout is null");
    }

    /** Made when it is first needed: it takes threads, and much of the start of a service that may never need it. */
    private synchronized SshClient client() {
        if (isClosed) {
            throw new IllegalStateException("the service ends");
        }
        SshClient known = client;
        if (known != null) {
            return known;
        }
        SshClient made = started();
        client = made;
        return made;
    }

    private SshClient started() {
        SshClient made = SshClient.setUpDefaultClient();
        made.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
        made.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
        made.setAgentFactory(null);
        made.setUserAuthFactories(List.of(
                UserAuthPublicKeyFactory.INSTANCE,
                UserAuthPasswordFactory.INSTANCE,
                UserAuthKeyboardInteractiveFactory.INSTANCE));
        made.setPasswordIdentityProvider(PasswordIdentityProvider.EMPTY_PASSWORDS_PROVIDER);
        made.setServerKeyVerifier(SftpLogins::isTrusted);
        made.addSessionListener(new SessionListener() {
            @Override
            public void sessionNegotiationOptionsCreated(Session session, Map<KexProposalOption, String> proposal) {
                preferKnown(session, proposal);
            }
        });
        CoreModuleProperties.AUTH_TIMEOUT.set(made, timeout);
        // longer than the engine waits: it ends what is silent
        CoreModuleProperties.IDLE_TIMEOUT.set(made, timeout.multipliedBy(2));
        SftpModuleProperties.SFTP_CHANNEL_OPEN_TIMEOUT.set(made, timeout);
        made.start();
        return made;
    }

    private static @Nullable Server server(Session session) {
        AttributeRepository asked = session instanceof ClientSession own ? own.getConnectionContext() : null;
        return asked == null ? null : asked.getAttribute(SERVER);
    }

    private static boolean isTrusted(ClientSession session, SocketAddress address, PublicKey key) {
        Server server = server(session);
        if (server == null) {
            return false;
        }
        KnownHosts.Verdict verdict = server.hosts.verdict(server.place.host(), server.place.port(), key);
        server.verdict = verdict;
        return verdict == KnownHosts.Verdict.TRUSTED;
    }

    /** A server has keys of several types and shows one: let it be one that the account knows. As ssh does it. */
    private static void preferKnown(Session session, Map<KexProposalOption, String> proposal) {
        Server server = server(session);
        String all = proposal.get(KexProposalOption.SERVERKEYS);
        if (server == null || all == null) {
            return;
        }
        Set<String> known = server.hosts.types(server.place.host(), server.place.port());
        Map<Boolean, List<String>> algorithms = Arrays.stream(all.split(","))
                .filter(algorithm -> !algorithm.contains("-cert-"))
                .collect(Collectors.partitioningBy(
                        algorithm -> known.contains(algorithm.startsWith("rsa-sha2-") ? "ssh-rsa" : algorithm)));
        proposal.put(
                KexProposalOption.SERVERKEYS,
                Stream.of(true, false)
                        .flatMap(isKnown -> new ArrayList<>(algorithms.getOrDefault(isKnown, List.of())).stream())
                        .collect(Collectors.joining(",")));
    }

    /** Connects and logs in, within the timeout for each of them. */
    SftpConnection open(SftpPlace place, TransferContext context) throws TransferException, InterruptedException {
        String account = context.account();
        TransferPassword password = context.credential() instanceof TransferPassword own ? own : null;
        SshIdentity identity =
                password == null ? SshIdentity.of(files, account) : SshIdentity.withoutKeys(files, account);
        Server server = new Server(place, identity.hosts());
        ClientSession session = connect(place, server);
        boolean isGood = false;
        try {
            identity.keys().forEach(session::addPublicKeyIdentity);
            if (password != null) {
                session.addPasswordIdentity(password.password());
            }
            session.auth().verify(timeout);
            SftpClient made = SftpClientFactory.instance().createSftpClient(session);
            if (!(made instanceof AbstractSftpClient usable)) {
                throw new IllegalStateException("another kind of client than was looked for: " + made.getClass());
            }
            isGood = true;
            return new SftpConnection(SftpConnection.key(place, context), session, usable);
        } catch (IOException e) {
            throw refused(e, place, account, password != null, server.verdict);
        } finally {
            if (!isGood) {
                session.close(true);
            }
        }
    }

    /** The library is given an address, so that it looks no name up again. */
    private ClientSession connect(SftpPlace place, Server server) throws TransferException, InterruptedException {
        InetAddress address = policy.addresses(place.host(), place.port()).getFirst();
        try {
            return client().connect(
                            place.user(),
                            new InetSocketAddress(address, place.port()),
                            AttributeRepository.ofKeyValuePair(SERVER, server),
                            null)
                    .verify(timeout)
                    .getSession();
        } catch (IOException e) {
            throw unreachable(SftpRefusals.of(e, "connecting to " + place.server()), place);
        }
    }

    private static TransferException unreachable(TransferException why, SftpPlace place) {
        return new TransferException(
                Kind.SERVER,
                "the SFTP server " + place.server() + " cannot be reached: " + why.sentence(),
                "Check the host and the port in the URL; try again later.",
                why);
    }

    private static TransferException refused(
            IOException e, SftpPlace place, String account, boolean hasPassword, KnownHosts.@Nullable Verdict verdict)
            throws InterruptedException {
        TransferException plain = SftpRefusals.of(e, "logging in at " + place.server());
        String host = "the host key of the SFTP server " + place.server();
        if (verdict == KnownHosts.Verdict.UNKNOWN) {
            return new TransferException(
                    Kind.PERMANENT,
                    host + " is not in ~/.ssh/known_hosts of the account " + account,
                    "Add it as that account (ssh-keyscan -p " + place.port() + " " + place.host()
                            + " >> ~/.ssh/known_hosts), and compare it with what the server's administrator says.",
                    e);
        }
        if (verdict == KnownHosts.Verdict.CHANGED || verdict == KnownHosts.Verdict.REVOKED) {
            return new TransferException(
                    Kind.PERMANENT,
                    host + (verdict == KnownHosts.Verdict.CHANGED ? " is not the one that" : " is revoked in what")
                            + " ~/.ssh/known_hosts of the account " + account + " has: it may be another server",
                    "Ask the server's administrator; where the key was changed, remove the old one (ssh-keygen -R) and add the new.",
                    e);
        }
        boolean isNotLetIn = String.valueOf(e.getMessage()).contains("uthentication");
        if (isNotLetIn && hasPassword) {
            return new TransferException(
                    Kind.PERMANENT,
                    "the SFTP server " + place.server() + " does not let the user " + place.user()
                            + " in with the password of the job",
                    "Correct the name and the password in the job; the server must take passwords.",
                    e);
        }
        if (isNotLetIn) {
            return new TransferException(
                    Kind.PERMANENT,
                    "the SFTP server " + place.server() + " does not let the user " + place.user()
                            + " in with the keys of the account " + account,
                    "Add the public half of one of its keys to the user's authorized_keys at the server.",
                    e);
        }
        return new TransferException(Kind.SERVER, plain.sentence(), plain.remedy(), e);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (client != null) {
            client.stop();
        }
    }
}
