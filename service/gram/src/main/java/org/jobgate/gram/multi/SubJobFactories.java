// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.multi;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.ShortText;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/** Which LRM a job is for: the {@code factoryEndpoint} in its description names this gateway's factory and the LRM, or the
 * factory of another gateway that is configured as an LRM here. Nothing that a client names is connected to: it is only compared. */
final class SubJobFactories {

    private static final String ELEMENT = "factoryEndpoint";

    private final String factory;
    private final List<OtherFactory> others;

    /** @param factory the address of this gateway's factory */
    SubJobFactories(String factory, List<OtherFactory> others) {
        this.factory = factory;
        this.others = List.copyOf(others);
    }

    /** The LRM; the default one, the first, where the endpoint has no key. */
    String lrm(XmlElement endpoint, Set<String> lrms) {
        EndpointReference reference;
        try {
            reference = EndpointReference.read(endpoint);
        } catch (IllegalArgumentException e) {
            throw invalid("", String.valueOf(e.getMessage()), "Name the factory of the job, or none.");
        }
        String key = reference.given().stream()
                .filter(given -> given.localName().equals("ResourceID"))
                .map(XmlElement::trimmedText)
                .findFirst()
                .orElse(null);
        if (!isSame(factory, reference.address())) {
            return elsewhere(reference.address(), key);
        }
        String lrm = key == null ? lrms.iterator().next() : key;
        if (!lrms.contains(lrm)) {
            throw invalid(
                    shown(lrm),
                    "it names the LRM '" + shown(lrm) + "'",
                    "Name one of: " + String.join(", ", lrms) + ".");
        }
        return lrm;
    }

    /** The LRM that stands for another gateway. */
    private String elsewhere(String address, @Nullable String key) {
        return others.stream()
                .filter(other -> isSame(other.address(), address) && other.isCalled(key))
                .findFirst()
                .map(OtherFactory::lrm)
                .orElseThrow(() -> new FaultException(Fault.of(
                                FaultCode.UNSUPPORTED_FEATURE,
                                "The job is for another gateway, " + shown(address)
                                        + (key == null ? "" : ", and its LRM '" + shown(key) + "'")
                                        + ", to which this one gives no jobs.",
                                "Let each factoryEndpoint name " + factory
                                        + ", or ask the administrator to configure that gateway as an LRM here.")
                        .about(ELEMENT, ELEMENT)));
    }

    private static boolean isSame(String known, String address) {
        try {
            URI given = new URI(address);
            URI ours = new URI(known);
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
        return ShortText.of(safe, 120);
    }
}
