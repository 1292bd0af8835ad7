// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.X509CertChainValidator;
import java.io.IOException;
import org.jobgate.gridftp.Delegation;
import org.jobgate.gridftp.GridFtpPool;
import org.jobgate.gridftp.GridFtpSession;
import org.jobgate.gridftp.GsiSecurity;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.TransferPassword;
import org.jobgate.transfer.protocol.TransferProxy;
import org.jobgate.transfer.protocol.TransferToken;

/**
 * Leases GridFTP sessions for transfers, always as the owner: with the delegated proxy of the transfer, of which a server gets a limited
 * one. A transfer that has another credential, or none, is refused.
 */
final class Sessions implements AutoCloseable {

    private final GridFtpPool pool;
    private final X509CertChainValidator validator;

    /** What is done with a session. */
    interface Work<T> {
        T with(GridFtpSession session) throws IOException, TransferException;
    }

    /**
     * Sessions of a pool.
     *
     * @param pool closed with this
     * @param validator decides about servers; closed by who made it
     */
    Sessions(GridFtpPool pool, X509CertChainValidator validator) {
        this.pool = requireNonNull(pool, "pool is null");
        this.validator = requireNonNull(validator, "validator is null");
    }

    /** Runs a command at the server of a place, and answers its result. Failures become those that the engine expects. */
    <T> T work(Place place, TransferContext context, Work<T> work) throws TransferException, InterruptedException {
        try (GridFtpPool.Lease lease = lease(place, context)) {
            return work.with(lease.session());
        } catch (IOException | IllegalArgumentException e) {
            throw Refusals.of(e);
        }
    }

    GridFtpPool.Lease lease(Place place, TransferContext context) throws TransferException, IOException {
        return pool.lease(place.server(), security(context));
    }

    /** As {@link #lease}; if possible a session over which the last file came, for its data connection is open. */
    GridFtpPool.Lease leaseToFetch(Place place, TransferContext context) throws TransferException, IOException {
        return pool.leaseToFetch(place.server(), security(context));
    }

    /** As {@link #lease}; if possible a session over which the last file went, for its data connection is open. */
    GridFtpPool.Lease leaseToSend(Place place, TransferContext context) throws TransferException, IOException {
        return pool.leaseToSend(place.server(), security(context));
    }

    /** Sessions at both ends of a transfer from server to server. */
    GridFtpPool.Pair leasePair(Place from, Place to, TransferContext context) throws TransferException, IOException {
        GsiSecurity sending = security(context.at(End.SOURCE));
        GsiSecurity receiving = sending.withServer(RftOptions.server(context.at(End.DESTINATION)));
        return pool.leasePair(from.server(), sending, to.server(), receiving);
    }

    private GsiSecurity security(TransferContext context) throws TransferException {
        TransferProxy proxy = proxy(context);
        return new GsiSecurity(
                new ProxyCredential(proxy), validator, Delegation.LIMITED, RftOptions.server(context), proxy.id());
    }

    private static TransferProxy proxy(TransferContext context) throws TransferException {
        return switch (context.credential()) {
            case TransferProxy proxy -> proxy;
            case TransferPassword password ->
                throw new TransferException(
                        Kind.PERMANENT,
                        "gsiftp needs a delegated proxy, and the job has a password for the file",
                        "Delegate a proxy and name it for the file, or use https or sftp.");
            case TransferToken token ->
                throw new TransferException(
                        Kind.PERMANENT,
                        "gsiftp needs a delegated proxy, and the job names a token",
                        "Delegate a proxy and name it for the file, or use https.");
            case null ->
                throw new TransferException(
                        Kind.PERMANENT,
                        "gsiftp needs a delegated credential, and the job names none",
                        "Delegate one and name it for the file.");
        };
    }

    /**
     * Closes the sessions of these credentials in a thread of its own: closing may take a moment, for which the caller need not wait.
     *
     * @param credential how the names of the credentials begin
     */
    void forget(String credential) {
        Thread.ofVirtual().name("gridftp-forget").start(() -> pool.forget(name -> name.startsWith(credential)));
    }

    @Override
    public void close() {
        pool.close();
    }
}
