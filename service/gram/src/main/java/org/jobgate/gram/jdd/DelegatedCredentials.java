// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import static java.util.Objects.requireNonNullElse;

import javax.xml.namespace.QName;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.NamedCredential;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;

/**
 * How a description names delegated credentials: by endpoint references of the delegation service, which hold the key (facts/gram4.md
 * section 9.2).
 */
final class DelegatedCredentials {

    /** The elements of a job that name one. */
    static final String JOB = "jobCredentialEndpoint";

    static final String STAGING = "stagingCredentialEndpoint";

    private static final QName KEY =
            new QName("http://www.globus.org/08/2004/delegationService", "DelegationKey", "deleg");

    private DelegatedCredentials() {}

    static NamedCredential read(CredentialUse use, XmlElement element) {
        EndpointReference reference;
        try {
            reference = EndpointReference.read(element);
        } catch (IllegalArgumentException e) {
            throw JddFaults.invalid(element.localName(), "", String.valueOf(e.getMessage()));
        }
        String key = reference.given().stream()
                .filter(given -> given.localName().equals(KEY.getLocalPart()))
                .map(XmlElement::trimmedText)
                .findFirst()
                .orElseThrow(() -> JddFaults.invalid(
                        element.localName(), reference.address(), "it must hold the key of a delegated credential"));
        return new NamedCredential(use, key, reference.address());
    }

    static void write(XmlWriter out, Generation generation, QName name, NamedCredential credential) {
        EndpointReference.of(requireNonNullElse(credential.address(), ""), KEY, credential.key())
                .write(out, generation, name);
    }
}
