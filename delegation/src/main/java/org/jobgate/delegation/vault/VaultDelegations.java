// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.jobgate.access.Caller;
import org.jobgate.access.Delegations;
import org.jobgate.access.OwnedKind;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.ShortText;
import org.jspecify.annotations.Nullable;

/** Delegations of callers into the vault, for every door whose clients sign a request of the service. */
public final class VaultDelegations implements Delegations {

    private static final Pattern FORM = Pattern.compile(ID);
    private static final int SHOWN = 60;

    private final Vault vault;
    private final KeyPool keys;
    private final PendingKeys pending;
    private final ChainAcceptance acceptance;
    private final TokenAcceptance tokens;
    private final Supplier<String> ids;

    /** @param ids makes the ids of delegations whose client gives none */
    public VaultDelegations(
            Vault vault,
            KeyPool keys,
            PendingKeys pending,
            ChainAcceptance acceptance,
            TokenAcceptance tokens,
            Supplier<String> ids) {
        this.vault = requireNonNull(vault, "vault is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.pending = requireNonNull(pending, "pending is null");
        this.acceptance = requireNonNull(acceptance, "acceptance is null");
        this.tokens = requireNonNull(tokens, "tokens is null");
        this.ids = requireNonNull(ids, "ids is null");
    }

    @Override
    public Request request(Caller caller) {
        return request(caller.delegate(), ids.get());
    }

    @Override
    public Request request(Caller caller, String id) {
        String owner = caller.delegate();
        if (!isId(id)) {
            throw refused(
                    "The delegation id '" + shown(id) + "' cannot be used.",
                    "Use at most 64 letters, digits, or any of . _ : @ and -.");
        }
        return request(owner, id);
    }

    @Override
    public Request requestAgain(Caller caller, String id) {
        String owner = caller.delegate();
        Optional<KeyPair> waiting = isId(id) ? pending.find(owner, id) : Optional.empty();
        if (waiting.isEmpty()) {
            return request(caller, id);
        }
        pending.put(owner, id, waiting.get()); // as long as a new one
        return new Request(id, ProxyRequest.pem(waiting.get()));
    }

    private Request request(String owner, String id) {
        pending.check(owner, id); // a key is made for nobody who has no room for it
        KeyPair pair = keys.take();
        pending.put(owner, id, pair);
        return new Request(id, ProxyRequest.pem(pair));
    }

    @Override
    public Optional<Request> renew(Caller caller, String id) {
        String owner = caller.delegate();
        return isId(id) && vault.terminates(owner, id).isPresent() ? Optional.of(request(owner, id)) : Optional.empty();
    }

    @Override
    public Delegation put(Caller caller, String id, String chain) {
        String owner = caller.delegate();
        KeyPair pair = waiting(owner, id);
        DelegatedCredential kept =
                vault.put(id, acceptance.check(owner, read(chain), pair.getPublic()), pair.getPrivate());
        pending.remove(owner, id);
        return of(kept);
    }

    @Override
    public Delegation putLonger(Caller caller, String request, String id, String chain) {
        String owner = caller.delegate();
        KeyPair pair = waiting(owner, request);
        DelegatedCredential kept =
                vault.putLonger(id, acceptance.check(owner, read(chain), pair.getPublic()), pair.getPrivate());
        pending.remove(owner, request);
        return of(kept);
    }

    private KeyPair waiting(String owner, String id) {
        return pending.find(owner, id)
                .orElseThrow(() -> refused(
                        "No key waits for a proxy under the id " + shown(id) + ".",
                        "Ask for a certificate request first, and sign that; requests are forgotten after a while and when the"
                                + " service starts again."));
    }

    @Override
    public Optional<Delegation> token(Caller caller, @Nullable String id, String token) {
        String owner = caller.delegate();
        if (id == null) {
            return Optional.of(of(vault.put(ids.get(), tokens.check(owner, token))));
        }
        return isId(id)
                        && vault.find(owner, id)
                                .filter(DelegatedToken.class::isInstance)
                                .isPresent()
                ? Optional.of(of(vault.put(id, tokens.check(owner, token))))
                : Optional.empty();
    }

    private static List<X509Certificate> read(String chain) {
        try {
            return Chains.ofPem(chain);
        } catch (CertificateException e) {
            throw ChainAcceptance.unreadable(e);
        }
    }

    private static Delegation of(DelegatedCredential credential) {
        Kind kind = credential instanceof DelegatedToken ? Kind.TOKEN : Kind.PROXY;
        return new Delegation(credential.key(), kind, credential.expires(), credential.terminates());
    }

    @Override
    public Optional<Delegation> find(Caller caller, String id) {
        return vault.find(caller.query(OwnedKind.CREDENTIALS), id).map(VaultDelegations::of);
    }

    @Override
    public List<Delegation> list(Caller caller, @Nullable String after, int limit) {
        return vault.list(caller.query(OwnedKind.CREDENTIALS), after, limit).stream()
                .map(entry -> new Delegation(
                        entry.key(),
                        entry.token() ? Kind.TOKEN : Kind.PROXY,
                        entry.times().expires(),
                        entry.times().terminates()))
                .toList();
    }

    @Override
    public Optional<String> certificates(Caller caller, String id) {
        return vault.find(caller.query(OwnedKind.CREDENTIALS), id)
                .filter(DelegatedProxy.class::isInstance)
                .map(found -> pem(found.asProxy().chain()));
    }

    private static String pem(List<X509Certificate> chain) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter out = new JcaPEMWriter(text)) {
            for (X509Certificate certificate : chain) {
                out.writeObject(certificate);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    @Override
    public Optional<Delegation> endAt(Caller caller, String id, @Nullable Instant time) {
        return vault.endAt(caller.manage(OwnedKind.CREDENTIALS), id, time).map(VaultDelegations::of);
    }

    @Override
    public boolean destroy(Caller caller, String id) {
        String owner = caller.manage(OwnedKind.CREDENTIALS);
        boolean hadRequest = pending.remove(owner, id);
        return vault.destroy(owner, id) || hadRequest;
    }

    private static boolean isId(String id) {
        return FORM.matcher(id).matches();
    }

    private static FaultException refused(String sentence, String remedy) {
        return new FaultException(Fault.of(FaultCode.CREDENTIAL_UNUSABLE, sentence, remedy));
    }

    private static String shown(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", "?");
        return ShortText.of(plain, SHOWN);
    }
}
