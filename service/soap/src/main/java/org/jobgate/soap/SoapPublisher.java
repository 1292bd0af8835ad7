// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import static java.util.Objects.requireNonNull;

import jakarta.xml.ws.soap.SOAPBinding;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.staxutils.StaxUtils;
import org.jobgate.xml.XmlLimits;

/** Registers services with CXF. */
final class SoapPublisher {

    /** The parser's own limits are this much wider than ours: for the envelope, and so that our refusal, which says its name, comes first. */
    private static final int ENVELOPE = 64;

    /** The namespace of the services as CXF knows them; it is on no wire. */
    private static final String NAMESPACE = "https://jobgate.org/ns/2026/service";

    private final String baseUrl;
    private final SoapLimits limits;
    private final Dialect dialect;
    private final Function<String, Optional<byte[]>> documents;
    private final MessageGuards guards;
    private final boolean soap12;

    /**
     * @param baseUrl what the public addresses of the services begin with, without a slash at the end
     * @param dialect of the services
     * @param documents answers the document for a service's query string, given as {@code Service?query}
     * @param guards which services have their messages protected
     * @param soap12 whether SOAP 1.2 is taken beside SOAP 1.1
     */
    SoapPublisher(
            String baseUrl,
            SoapLimits limits,
            Dialect dialect,
            Function<String, Optional<byte[]>> documents,
            MessageGuards guards,
            boolean soap12) {
        this.baseUrl = requireNonNull(baseUrl, "baseUrl is null");
        this.limits = requireNonNull(limits, "limits is null");
        this.dialect = requireNonNull(dialect, "dialect is null");
        this.documents = requireNonNull(documents, "documents is null");
        this.guards = requireNonNull(guards, "guards is null");
        this.soap12 = soap12;
    }

    /** Publishes the service under {@code /<its name>} of the CXF servlet. */
    EndpointImpl publish(Bus bus, SoapService service) {
        SoapEndpoint answers = new SoapEndpoint(service, limits.xml(), dialect);
        EndpointImpl endpoint = new EndpointImpl(bus, answers);
        endpoint.setInvoker(answers);
        if (soap12) {
            // CXF takes SOAP 1.1 at such an endpoint too, and answers each request in its own version
            endpoint.setBindingUri(SOAPBinding.SOAP12HTTP_BINDING);
        }
        endpoint.setServiceName(new QName(NAMESPACE, service.name()));
        endpoint.setEndpointName(new QName(NAMESPACE, service.name() + "Port"));
        endpoint.setDataBinding(new ReplyDataBinding());
        endpoint.setProperties(properties());
        endpoint.getInInterceptors()
                .add(new RequestGuard(
                        service.name(), limits.bodyBytes(), query -> documents.apply(service.name() + "?" + query)));
        endpoint.getInInterceptors().add(new WholeEnvelope());
        endpoint.getInInterceptors().add(new UnderstoodHeaders(service.understoodHeaders()));
        ReplyHeaders headers = new ReplyHeaders(dialect, baseUrl + "/" + service.name());
        endpoint.getOutInterceptors().add(headers);
        endpoint.getOutFaultInterceptors().add(headers);
        endpoint.getOutFaultInterceptors().add(new FaultTidy(dialect));
        guards.of(service.name()).ifPresent(guard -> {
            endpoint.getInInterceptors().add(new GuardedRequest(guard));
            endpoint.getOutInterceptors().add(new GuardedReply());
            endpoint.getOutFaultInterceptors().add(new GuardedReply());
        });
        endpoint.publish("/" + service.name());
        return endpoint;
    }

    private Map<String, Object> properties() {
        XmlLimits xml = limits.xml();
        Map<String, Object> properties = new HashMap<>();
        properties.put(FaultListener.class.getName(), new FaultLog());
        properties.put(
                StaxUtils.MAX_CHILD_ELEMENTS, Long.toString(xml.elements().value() + ENVELOPE));
        properties.put(StaxUtils.MAX_ELEMENT_DEPTH, Long.toString(xml.depth().value() + ENVELOPE));
        properties.put(
                StaxUtils.MAX_ATTRIBUTE_COUNT, Long.toString(xml.attributes().value() + ENVELOPE));
        properties.put(
                StaxUtils.MAX_ATTRIBUTE_SIZE, Long.toString(xml.textCharacters().value()));
        properties.put(
                StaxUtils.MAX_TEXT_LENGTH, Long.toString(limits.bodyBytes().value()));
        properties.put(StaxUtils.MAX_ELEMENT_COUNT, Long.toString(xml.elements().value() + ENVELOPE));
        properties.put(
                StaxUtils.MAX_XML_CHARACTERS, Long.toString(limits.bodyBytes().value()));
        // operations are told by their body element, whatever the SOAPAction header says
        properties.put("allowNonMatchingToDefaultSoapAction", true);
        return properties;
    }
}
