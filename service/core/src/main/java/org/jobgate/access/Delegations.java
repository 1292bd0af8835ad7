// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Credentials that clients delegate to the service for their jobs: the service makes a key and a certificate request, the client signs a
 * proxy over it and puts the chain. The private key never leaves the service. Jobs name a delegated credential by its id
 * ({@link org.jobgate.job.NamedCredential}), whichever door it came by.
 *
 * <p>A delegation belongs to the subject who made it. To everybody else it is not there, and looks as one that never was. Each call asks
 * the site's policy about the caller first; what a call has changed is on disk when it returns. A request that is not answered is kept in
 * memory only, for an hour at most: after a restart the client begins again.
 *
 * <p>Refusals are {@link FaultException}s: {@code NOT_AUTHORIZED}, {@code CREDENTIAL_UNUSABLE} with the reason,
 * {@code LIMIT_EXCEEDED} by name (of everybody and of one owner: delegations, and requests that wait), {@code STORE_UNAVAILABLE}.
 */
public interface Delegations {

    /** What an id may be, as a regular expression. */
    String ID = "[A-Za-z0-9._:@-]{1,64}";

    /** What was delegated. */
    enum Kind {
        PROXY,
        TOKEN
    }

    /**
     * A request for a proxy.
     *
     * @param id of the delegation
     * @param pem the certificate request (PKCS#10, RFC 2986) in PEM. Its subject means nothing: the client gives the proxy its name
     */
    record Request(String id, String pem) {
        public Request {
            requireNonNull(id, "id is null");
            requireNonNull(pem, "pem is null");
        }
    }

    /**
     * A delegated credential.
     *
     * @param expires when the first certificate of its chain, or the token, expires
     * @param terminates when it is forgotten: at its expiry, or before if its owner said so. One that has expired can still be renewed for a
     *     while ({@code delegation.keepExpired}) and is told until then
     */
    record Delegation(String id, Kind kind, Instant expires, Instant terminates) {
        public Delegation {
            requireNonNull(id, "id is null");
            requireNonNull(kind, "kind is null");
            requireNonNull(expires, "expires is null");
            requireNonNull(terminates, "terminates is null");
        }
    }

    /** Begins a delegation under an id that is new. */
    Request request(Caller caller);

    /**
     * Begins a delegation under an id that the client chose; it takes the place of a request that waits under this id, and what is put then
     * that of the credential.
     *
     * @throws FaultException also where the id is not of the form {@link #ID}
     */
    Request request(Caller caller, String id);

    /**
     * Begins a delegation under an id of the service's own: with the request that waits under it, where there is one, so that who asks all the
     * time and answers nothing costs no key each time.
     */
    default Request requestAgain(Caller caller, String id) {
        return request(caller, id);
    }

    /**
     * Begins to renew a delegation that is there. Jobs that use it go on with what is put then, under a new key.
     *
     * @return empty where the caller has no such delegation
     */
    Optional<Request> renew(Caller caller, String id);

    /**
     * Takes the answer to the request that waits under this id.
     *
     * @param chain the signed proxy and the certificates that it was signed with, in PEM, the proxy first
     * @throws FaultException also where no request waits, or the chain is not the caller's, not over the key of the request,
     *     not a proxy, not trusted or about to expire
     */
    Delegation put(Caller caller, String id, String chain);

    /**
     * Takes the answer to the request that waits under one id, and keeps it under another: in the place of a credential that ends before it, while
     * one that lasts as long stays.
     *
     * @param request what the request waits under
     * @param id what it is kept under
     * @param chain as for {@link #put}
     * @return what is kept under the id then
     * @throws FaultException as for {@link #put}; also {@code UNSUPPORTED_FEATURE} where credentials are only put under the id of their request
     */
    default Delegation putLonger(Caller caller, String request, String id, String chain) {
        throw new FaultException(Fault.of(
                FaultCode.UNSUPPORTED_FEATURE,
                "A credential is kept under the id of its request alone here.",
                "Ask for a request of the id that it is to have."));
    }

    /**
     * Keeps a bearer token of the caller's for jobs: it is for services elsewhere, so only its form and its end are looked at.
     *
     * @param id of a token that is there, whose place this one takes; absent for a new delegation
     * @param token a JSON Web Token (RFC 7519) that says when it expires
     * @return empty where the caller has no token under this id
     * @throws FaultException also {@code UNSUPPORTED_FEATURE} where only proxies are taken
     */
    default Optional<Delegation> token(Caller caller, @Nullable String id, String token) {
        throw new FaultException(
                Fault.of(FaultCode.UNSUPPORTED_FEATURE, "Tokens cannot be delegated here.", "Delegate a proxy."));
    }

    /** The caller's delegation of this id; not one whose request is not answered yet. */
    Optional<Delegation> find(Caller caller, String id);

    /**
     * The caller's delegations, by their ids in ascending order.
     *
     * @param after the last id of the page before; null for the first page
     * @param limit how many at the most
     */
    List<Delegation> list(Caller caller, @Nullable String after, int limit);

    /** The certificates of a proxy, in PEM, the newest first and without any key; empty where the caller has no such delegation, or it is a token. */
    Optional<String> certificates(Caller caller, String id);

    /**
     * Has a delegation end at another time.
     *
     * @param time null means at its expiry
     * @return how it stands then; empty where the caller has no such delegation
     * @throws FaultException also {@code INVALID_TERMINATION_TIME} for a time after its expiry
     */
    Optional<Delegation> endAt(Caller caller, String id, @Nullable Instant time);

    /** Forgets a delegation, or a request that waits; answers whether the caller had one under this id. */
    boolean destroy(Caller caller, String id);
}
