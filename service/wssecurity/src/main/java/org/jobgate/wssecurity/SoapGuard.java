// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jobgate.identity.Identity;
import org.jobgate.soap.MessageGuard;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapFaultException;
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
    private final ContextRequests contexts;
    private final boolean conversations;

    SoapGuard(
            String service,
            Protection protection,
            SecuritySettings settings,
            Verdicts verdicts,
            ReplySigner signer,
            ContextRequests contexts) {
        this.service = service;
        this.protection = protection;
        this.settings = settings;
        this.conversations = settings.conversations().includes(service);
        this.structure = new Structure(settings, conversations);
        this.verdicts = verdicts;
        this.signer = signer;
        this.contexts = contexts;
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
            Reply answer = answer(request, envelope, ofTransport(request), null);
            return new Opened(request.envelope(), request.transport(), null, answer);
        }
        structure.check(envelope, security.get());
        Verdicts.Verdict verdict = verdicts.of(envelope, security.get(), service, request);
        if (verdict.identity() == null) {
            requireNothing();
        }
        Identity caller = caller(request.transport(), verdict.identity());
        Bootstrap bootstrap =
                verdict.bootstrap() == null && verdict.key() == null ? ofTransport(request) : verdict.bootstrap();
        UnaryOperator<byte[]> signing = verdict.isSigned() ? signing(security.get(), verdict.key()) : null;
        Reply answer = answer(request, envelope, bootstrap, verdict.key());
        return new Opened(envelope.withoutSecurity(), caller, signing, answer);
    }

    /** The reply is signed as the request was: with a certificate's key, or with one that is derived from the context. */
    private UnaryOperator<byte[]> signing(Element security, Conversations.@Nullable Key key) {
        if (key == null) {
            return signer::signed;
        }
        ReplySigner.Manner manner = ReplySigner.Manner.of(security);
        return reply -> signer.signed(reply, key, manner);
    }

    private @Nullable Reply answer(
            Arrived request, Envelope envelope, @Nullable Bootstrap bootstrap, Conversations.@Nullable Key key) {
        return conversations
                ? ContextRequests.in(envelope)
                        .map(asked -> contexts.answer(asked, bootstrap, key, request.isConfidential()))
                        .orElse(null)
                : null;
    }

    private @Nullable Bootstrap ofTransport(Arrived request) {
        Identity transport = request.transport();
        X509Certificate[] chain = request.chain();
        return transport == null || chain == null ? null : verdicts.ofTransport(transport, chain);
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
}
