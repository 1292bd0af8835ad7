// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.adapter.PasswordWorkers;
import org.jobgate.address.OwnPorts;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.MessageSecurityConfig;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.HostCredential;
import org.jobgate.job.Reason;
import org.jobgate.limits.Limit;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.soap.MessageGuards;
import org.jobgate.wssecurity.AccountPasswords;
import org.jobgate.wssecurity.ConversationSettings;
import org.jobgate.wssecurity.KnownNames;
import org.jobgate.wssecurity.MessageSecurity;
import org.jobgate.wssecurity.Passwords;
import org.jobgate.wssecurity.Protection;
import org.jobgate.wssecurity.SecuritySettings;
import org.jobgate.wssecurity.Unaddressed;
import org.jobgate.xml.XmlLimits;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The settings of the protection of messages, read from the configuration: signers are held to the same trust as the clients of TLS. */
final class Messages {

    private static final Logger LOG = LoggerFactory.getLogger(Messages.class);

    /** BES asks for no WS-Addressing in requests, and some of its clients send none. */
    private static final Set<String> BES = Set.of("BESFactory", "BESManagement");

    private Messages() {}

    static MessageGuards guards(Base base, HostCredential host, ChainValidator validator) {
        MessageSecurityConfig config = base.config().messageSecurity();
        return config.isUsed()
                ? new MessageSecurity(
                        settings(base, config, host.chain()[0]),
                        host.key(),
                        host.chain(),
                        chain -> validator.validate(chain).identity(),
                        passwords(config, accounts(base, config.pamService())),
                        base.clock())
                : MessageGuards.NONE;
    }

    private static SecuritySettings settings(Base base, MessageSecurityConfig config, X509Certificate own) {
        Map<String, Protection> services = config.byService().entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> protection(entry.getValue())));
        return new SecuritySettings(
                protection(config.mode()),
                services,
                config.sha1(),
                config.maxAge(),
                config.skew(),
                new Limit("messageSecurity.maxTokenCharacters", config.maxTokenCharacters()),
                XmlLimits.defaults().depth(),
                new Limit("messageSecurity.maxRemembered", config.maxRemembered()),
                new Unaddressed(BES, Set.copyOf(config.unaddressed())),
                new KnownNames(
                        base.config().server().publicName(),
                        own,
                        config.names(),
                        base.ports()::isOwn,
                        OwnPorts::isOfThisMachine),
                new ConversationSettings(
                        Set.copyOf(config.conversations()),
                        config.contextLifetime(),
                        new Limit("messageSecurity.maxContexts", config.maxContexts()),
                        new Limit("messageSecurity.maxContextsOfOne", config.maxContextsOfOne())));
    }

    private static Protection protection(MessageSecurityConfig.Mode mode) {
        return switch (mode) {
            case OFF -> Protection.OFF;
            case ACCEPT -> Protection.ACCEPT;
            case REQUIRE -> Protection.REQUIRE;
        };
    }

    /** Where it cannot be found out the client is told no more than of a wrong password: the log tells it. */
    private static AccountPasswords accounts(Base base, @Nullable String service) {
        if (service == null) {
            return (account, password) -> false;
        }
        PasswordWorkers workers =
                PasswordWorkers.create(service, FileDoor.reached(base.config(), base.home()), base.random());
        return (account, password) -> {
            try {
                return workers.fits(account, password);
            } catch (LrmUnavailableException e) {
                LOG.warn("The password of the account {} could not be checked: {}", account, e.getMessage());
                return false;
            }
        };
    }

    private static Passwords passwords(MessageSecurityConfig config, AccountPasswords accounts) {
        Path file = config.passwordFile();
        if (file == null) {
            return Passwords.none();
        }
        try {
            Passwords passwords = Passwords.read(file, accounts);
            if (config.pamService() == null && !passwords.accounts().isEmpty()) {
                throw refused(
                        file,
                        "names passwords of local accounts ($pam$); say with messageSecurity.pamService how they are checked");
            }
            if (passwords.inClear() > 0) {
                LOG.warn(
                        "messageSecurity.passwordFile = {} holds {} passwords as they are. Write their hashes there (bcrypt, Argon2id), unless their"
                                + " owners need PasswordDigest.",
                        file,
                        passwords.inClear());
            }
            return passwords;
        } catch (IllegalArgumentException e) {
            throw refused(file, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw refused(file, "cannot be read: " + Reason.of(e));
        }
    }

    private static ConfigurationException refused(Path file, String why) {
        return new ConfigurationException(List.of("messageSecurity.passwordFile = " + file + ": " + why));
    }
}
