// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.security.PrivateKey;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Optional;
import org.apache.jcp.xml.dsig.internal.dom.XMLDSigRI;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.xml.security.Init;
import org.jobgate.soap.MessageGuard;
import org.jobgate.soap.MessageGuards;

/** The guards of the services whose messages are protected; one memory against replays for all of them. */
public final class MessageSecurity implements MessageGuards {

    static {
        // the JDK has what is used here; nothing is put before its providers
        WSSConfig.setAddJceProviders(false);
        WSSConfig.init();
        Init.init();
        // for signatures in XML only, behind the JDK's own, which takes no SHA-1 whatever the site says;
        // WSS4J asks for it by name
        Security.addProvider(new XMLDSigRI());
    }

    private final SecuritySettings settings;
    private final Verdicts verdicts;
    private final ReplySigner signer;
    private final ContextRequests contexts;

    /**
     * @param key the service's own, to sign and to decrypt with
     * @param chain its certificates, its own first
     * @param trust whose signatures are good
     * @param passwords who may come with a password
     */
    public MessageSecurity(
            SecuritySettings settings,
            PrivateKey key,
            X509Certificate[] chain,
            ChainTrust trust,
            Passwords passwords,
            Clock clock) {
        this.settings = requireNonNull(settings, "settings is null");
        ServiceCrypto crypto = new ServiceCrypto(key, chain, requireNonNull(trust, "trust is null"));
        Conversations conversations =
                new Conversations(settings.conversations(), requireNonNull(clock, "clock is null"));
        this.contexts = new ContextRequests(conversations, clock);
        this.verdicts = new Verdicts(
                new Opener(crypto, requireNonNull(passwords, "passwords is null"), new PasswordPace(clock)),
                trust,
                passwords,
                new Freshness(settings, clock),
                conversations,
                settings.unaddressed(),
                settings.names());
        this.signer = new ReplySigner(crypto, key, settings);
    }

    @Override
    public Optional<MessageGuard> of(String service) {
        Protection protection = settings.of(service);
        return protection == Protection.OFF
                ? Optional.empty()
                : Optional.of(new SoapGuard(service, protection, settings, verdicts, signer, contexts));
    }
}
