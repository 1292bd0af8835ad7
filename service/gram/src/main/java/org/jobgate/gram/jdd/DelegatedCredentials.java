// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import javax.xml.namespace.QName;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;

/**
 * How a description names delegated credentials: in one text, the address of the delegation service and after a question mark the
 * key, as Condor-G writes it (facts/gram4.md section 9.2). What it means is the delegation service's to say.
 */
final class DelegatedCredentials {

    /** The elements of a job that name one. */
    static final String JOB = "jobCredentialEndpoint";

    static final String STAGING = "stagingCredentialEndpoint";

    private static final QName KEY =
            new QName("http://www.globus.org/08/2004/delegationService", "DelegationKey", "deleg");

    private DelegatedCredentials() {}

    static String read(XmlElement element) {
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
        return reference.address() + "?" + key;
    }

    static void write(XmlWriter out, Generation generation, QName name, String credential) {
        int mark = credential.lastIndexOf('?');
        EndpointReference.of(credential.substring(0, mark), KEY, credential.substring(mark + 1))
                .write(out, generation, name);
    }
}
