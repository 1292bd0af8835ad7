// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.X509CertChainValidator;
import eu.emi.security.authn.x509.X509Credential;
import java.security.cert.X509Certificate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, and whom we trust.
 *
 * @param credential the user's proxy (or certificate) with its key; never logged
 * @param validator decides about chains of servers and of peers at data channels; the caller closes it
 * @param delegation what the server gets
 * @param server whose name the server's certificate must have; null: that of the host that was connected to
 * @param name of the credential, by which {@link GridFtpPool#forget} finds the sessions that were opened with it; may be empty
 */
public record GsiSecurity(
        X509Credential credential,
        X509CertChainValidator validator,
        Delegation delegation,
        @Nullable SubjectName server,
        String name) {

    /** With a credential that has no name. */
    public GsiSecurity(X509Credential credential, X509CertChainValidator validator, Delegation delegation) {
        this(credential, validator, delegation, "");
    }

    /** For servers that have certificates of their hosts. */
    public GsiSecurity(
            X509Credential credential, X509CertChainValidator validator, Delegation delegation, String name) {
        this(credential, validator, delegation, null, name);
    }

    /** The same for a server whose certificate has this subject; null: its host's name. */
    public GsiSecurity withServer(@Nullable SubjectName other) {
        return new GsiSecurity(credential, validator, delegation, other, name);
    }

    /** Checks that all are there. */
    public GsiSecurity {
        requireNonNull(name, "name is null");
        requireNonNull(credential, "credential is null");
        requireNonNull(validator, "validator is null");
        requireNonNull(delegation, "delegation is null");
    }

    /** When the first certificate of the chain ends. */
    public Instant expires() {
        Instant first = Instant.MAX;
        for (X509Certificate certificate : credential.getCertificateChain()) {
            Instant end = certificate.getNotAfter().toInstant();
            first = end.isBefore(first) ? end : first;
        }
        return first;
    }

    /** Without the key. */
    @Override
    public String toString() {
        return credential.getSubjectName() + ", delegation " + delegation;
    }
}
