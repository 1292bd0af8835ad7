// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import com.ctc.wstx.exc.WstxLazyException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.xml.ws.Provider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.ServiceMode;
import jakarta.xml.ws.WebServiceProvider;
import java.util.List;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.transform.sax.SAXSource;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageContentsList;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.service.invoker.Invoker;
import org.apache.cxf.staxutils.StaxSource;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.jobgate.identity.Identity;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.xml.MalformedXmlException;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands the payload of a request to a {@link SoapService} and its reply to CXF. */
@WebServiceProvider
@ServiceMode(Service.Mode.PAYLOAD)
public final class SoapEndpoint implements Provider<SAXSource>, Invoker {

    private static final Logger LOG = LoggerFactory.getLogger(SoapEndpoint.class);

    private final SoapService service;
    private final XmlLimits limits;
    private final Dialect dialect;

    SoapEndpoint(SoapService service, XmlLimits limits, Dialect dialect) {
        this.service = service;
        this.limits = limits;
        this.dialect = dialect;
    }

    /**
     * What CXF calls. Its own invoker finds the method again by reflection and makes the context of JAX-WS anew for each request, which nothing
     * here asks for.
     */
    @Override
    public Object invoke(Exchange exchange, @Nullable Object payload) {
        Object request = payload instanceof List<?> parts ? (parts.isEmpty() ? null : parts.getFirst()) : payload;
        return new MessageContentsList(invoke((SAXSource) request));
    }

    @Override
    public SAXSource invoke(@Nullable SAXSource request) {
        Message message = PhaseInterceptorChain.getCurrentMessage();
        MessageGuard.Opened opened = message.getExchange().get(MessageGuard.Opened.class);
        try {
            if (opened != null && opened.answer() != null) {
                finish(message);
                return new ReplySource(opened.answer());
            }
            return new ReplySource(service.answer(call(message, request)));
        } catch (SoapFaultException e) {
            throw CxfFaults.of(e);
        } catch (FaultException e) {
            throw CxfFaults.of(dialect.fault(RequestHead.of(message), e.fault()));
        } catch (MalformedXmlException e) {
            throw CxfFaults.of(SoapFaultException.client(e.getMessage() + ". Correct the request."));
        } catch (RuntimeException e) {
            LOG.error("{} could not answer a request", service.name(), e);
            throw CxfFaults.of(
                    dialect.fault(
                            RequestHead.of(message),
                            Fault.of(
                                    FaultCode.INTERNAL,
                                    "The gateway failed in answering this request.",
                                    "Try again; if it happens again, tell the site's administrator the time of it: the log says more.")));
        }
    }

    private SoapCall call(Message message, @Nullable SAXSource request) {
        XmlElement body = request instanceof StaxSource source && source.getXMLStreamReader() != null
                ? XmlTree.read(source.getXMLStreamReader(), limits)
                : XmlElement.empty(operationOf(message));
        RequestHead head = RequestHead.of(message, body.name());
        finish(message);
        Identity identity = identity(message);
        return new SoapCall(identity, head.headers(), body, delegated(message, identity));
    }

    /** What the connection's client delegated, unless the message's own security says that it is somebody else's. */
    private static @Nullable String delegated(Message message, @Nullable Identity identity) {
        HttpServletRequest http = (HttpServletRequest) message.get(AbstractHTTPDestination.HTTP_REQUEST);
        return http != null && identity != null && identity.equals(GuardedRequest.ofTransport(http))
                ? (String) http.getAttribute(Identity.DELEGATED_ATTRIBUTE)
                : null;
    }

    /** What an empty body asks for: there the header SOAPAction is all that says it. */
    private QName operationOf(Message message) {
        HttpServletRequest http = (HttpServletRequest) message.get(AbstractHTTPDestination.HTTP_REQUEST);
        String header = http == null ? null : http.getHeader("SOAPAction");
        String action = header == null ? "" : header.strip();
        boolean isQuoted = action.length() > 1 && action.startsWith("\"") && action.endsWith("\"");
        return service.operationOf(isQuoted ? action.substring(1, action.length() - 1) : action)
                .orElseThrow(() -> SoapFaultException.client(
                        "The SOAP body is empty; it must hold one element that names the operation."));
    }

    /** Nothing is done before the whole request has been read: what is behind the operation may be a second one. */
    private static void finish(Message message) {
        EnvelopeForm form = message.getExchange().get(EnvelopeForm.class);
        if (form == null) {
            throw new IllegalStateException("the request's envelope is not looked at");
        }
        try {
            form.finish();
        } catch (XMLStreamException | WstxLazyException e) {
            throw new MalformedXmlException(XmlTree.sentence(e), e);
        }
    }

    private static @Nullable Identity identity(Message message) {
        MessageGuard.Opened opened = message.getExchange().get(MessageGuard.Opened.class);
        return opened != null
                ? opened.identity()
                : GuardedRequest.ofTransport((HttpServletRequest) message.get(AbstractHTTPDestination.HTTP_REQUEST));
    }
}
