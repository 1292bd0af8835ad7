// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.util.Optional;
import org.jobgate.gram.soap.MessageGuard;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.Element;

/** Stands before one service. Its steps: read the envelope, look at its shape, compute, judge, take the security header off. */
final class SoapGuard implements MessageGuard {

    private static final Logger LOG = LoggerFactory.getLogger(SoapGuard.class);

    private final String service;
    private final Protection protection;
    private final SecuritySettings settings;
    private final Structure structure;
    private final Verdicts verdicts;
    private final ReplySigner signer;

    SoapGuard(String service, Protection protection, SecuritySettings settings, Verdicts verdicts, ReplySigner signer) {
        this.service = service;
        this.protection = protection;
        this.settings = settings;
        this.structure = new Structure(settings);
        this.verdicts = verdicts;
        this.signer = signer;
    }

    @Override
    public Opened open(Arrived request) {
        try {
            return opened(request);
        } catch (SoapFaultException e) {
            LOG.info(
                    "Refused a message to {} from {}: {}",
                    service,
                    request.transport() == null
                            ? "a client without a certificate"
                            : request.transport().subject(),
                    e.getMessage());
            throw e;
        }
    }

    private Opened opened(Arrived request) {
        Envelope envelope = Envelope.parse(request.envelope(), settings.depth());
        Optional<Element> security = envelope.security();
        if (security.isEmpty()) {
            requireNothing();
            return new Opened(request.envelope(), request.transport(), false);
        }
        structure.check(envelope, security.get());
        Verdicts.Verdict verdict = verdicts.of(envelope, security.get(), service, request.isConfidential());
        if (verdict.identity() == null) {
            requireNothing();
        }
        Identity caller = caller(request.transport(), verdict.identity());
        return new Opened(envelope.withoutSecurity(), caller, verdict.isSigned());
    }

    private void requireNothing() {
        if (protection == Protection.REQUIRE) {
            throw Refusals.invalid(service + " takes only messages that say themselves who sends them. Sign the message"
                    + " (WS-Security, X.509), or send a UsernameToken where the site has given you a password.");
        }
    }

    private static @Nullable Identity caller(@Nullable Identity transport, @Nullable Identity message) {
        if (transport != null && message != null && !transport.subject().equals(message.subject())) {
            throw Refusals.failedAuthentication("The connection is of " + transport.subject()
                    + ", the message of " + message.subject()
                    + ". Use one credential for both, or connect without a certificate.");
        }
        return message != null ? message : transport;
    }

    @Override
    public byte[] signed(byte[] reply) {
        return signer.signed(reply);
    }
}
