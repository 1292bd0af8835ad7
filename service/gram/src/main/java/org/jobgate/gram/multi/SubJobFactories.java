// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.multi;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import org.jobgate.gram.wsrf.EndpointReference;
import org.jobgate.gram.xml.XmlElement;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;

/** Which LRM a sub job is for: the {@code factoryEndpoint} in its description names this gateway's factory and the LRM. */
final class SubJobFactories {

    private static final String ELEMENT = "factoryEndpoint";

    private final String factory;

    /** @param factory the address of this gateway's factory */
    SubJobFactories(String factory) {
        this.factory = factory;
    }

    /** The LRM; the default one, the first, where the endpoint has no key. */
    String lrm(XmlElement endpoint, Set<String> lrms) {
        EndpointReference reference;
        try {
            reference = EndpointReference.read(endpoint);
        } catch (IllegalArgumentException e) {
            throw invalid("", String.valueOf(e.getMessage()), "Name the factory of each sub job, or none.");
        }
        if (!isOurs(reference.address())) {
            throw new FaultException(Fault.of(
                            FaultCode.UNSUPPORTED_FEATURE,
                            "A sub job is for another gateway, " + shown(reference.address())
                                    + "; this one runs the sub jobs of a multi-job itself.",
                            "Let each factoryEndpoint name " + factory + ", or submit the jobs one by one.")
                    .about(ELEMENT, ELEMENT));
        }
        String lrm = reference.given().stream()
                .filter(key -> key.localName().equals("ResourceID"))
                .map(XmlElement::trimmedText)
                .findFirst()
                .orElseGet(() -> lrms.iterator().next());
        if (!lrms.contains(lrm)) {
            throw invalid(
                    shown(lrm),
                    "a sub job is for '" + shown(lrm) + "'",
                    "Name one of: " + String.join(", ", lrms) + ".");
        }
        return lrm;
    }

    private boolean isOurs(String address) {
        try {
            URI given = new URI(address);
            URI ours = new URI(factory);
            return ours.getScheme().equalsIgnoreCase(given.getScheme())
                    && ours.getHost().equalsIgnoreCase(given.getHost())
                    && ours.getPort() == given.getPort()
                    && ours.getPath().equals(given.getPath());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static FaultException invalid(String value, String rule, String remedy) {
        return new FaultException(Fault.of(
                        FaultCode.INVALID_DESCRIPTION,
                        "The element " + ELEMENT + " of the job description is wrong: " + rule + ".",
                        remedy)
                .about(ELEMENT, value));
    }

    private static String shown(String text) {
        String safe = text.replaceAll("\\p{Cntrl}", "?");
        return safe.length() <= 120 ? safe : safe.substring(0, 120) + "...";
    }
}
