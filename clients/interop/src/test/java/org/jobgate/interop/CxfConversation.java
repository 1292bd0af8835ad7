// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import eu.emi.security.authn.x509.impl.PEMCredential;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Dispatch;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.soap.AddressingFeature;
import jakarta.xml.ws.soap.SOAPBinding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.security.auth.callback.CallbackHandler;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.Source;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.configuration.jsse.TLSClientParameters;
import org.apache.cxf.endpoint.Client;
import org.apache.cxf.headers.Header;
import org.apache.cxf.jaxws.DispatchImpl;
import org.apache.cxf.rt.security.SecurityConstants;
import org.apache.cxf.transport.http.HTTPConduitConfigurer;
import org.apache.cxf.ws.policy.WSPolicyFeature;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.ext.WSPasswordCallback;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** CXF as a client whose policy wants a conversation, opened with a proxy's signature, over connections without a client certificate. */
final class CxfConversation implements AutoCloseable {

    private static final String JOB = "http://www.globus.org/namespaces/2004/10/gram/job";
    private static final String PASSWORD = "in-memory";
    private static final String TOKEN = "ws-security.token";
    private static final String FOR_CONTEXTS = ".sct";

    private final Gateway gateway;
    private final Bus bus;
    private final Merlin keys;

    CxfConversation(Gateway gateway) throws IOException, GeneralSecurityException {
        this.gateway = gateway;
        this.keys = keys(gateway);
        this.bus = BusFactory.newInstance().createBus();
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys.getTrustStore());
        TLSClientParameters tls = new TLSClientParameters();
        tls.setTrustManagers(trust.getTrustManagers());
        HTTPConduitConfigurer configurer = (name, address, conduit) -> conduit.setTlsClientParameters(tls);
        bus.setExtension(configurer, HTTPConduitConfigurer.class);
    }

    private static Merlin keys(Gateway gateway) throws IOException, GeneralSecurityException {
        PEMCredential proxy = new PEMCredential(gateway.proxy().toString(), (char[]) null);
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        own.setKeyEntry("me", proxy.getKey(), PASSWORD.toCharArray(), proxy.getCertificateChain());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (Stream<Path> files = Files.list(gateway.trustDirectory())) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".0")).toList()) {
                try (InputStream in = Files.newInputStream(file)) {
                    trusted.setCertificateEntry(
                            file.getFileName().toString(),
                            CertificateFactory.getInstance("X.509").generateCertificate(in));
                }
            }
        }
        Merlin keys = new Merlin(false, "");
        keys.setKeyStore(own);
        keys.setTrustStore(trusted);
        return keys;
    }

    /** One service, as one policy says; contexts are its own unless it is given one. */
    final class Port {
        private final Dispatch<Source> dispatch;
        private final Client client;

        private Port(String service, Element policy) {
            BusFactory.setThreadDefaultBus(bus);
            QName port = new QName("urn:interop", service + "Port");
            Service description = Service.create(new QName("urn:interop", service));
            description.addPort(port, SOAPBinding.SOAP11HTTP_BINDING, gateway.services() + "/" + service);
            dispatch = description.createDispatch(
                    port, Source.class, Service.Mode.PAYLOAD, new AddressingFeature(true, false));
            client = ((DispatchImpl<Source>) dispatch).getClient();
            WSPolicyFeature feature = new WSPolicyFeature();
            feature.setPolicyElements(List.of(policy));
            feature.initialize(client, bus);
            CallbackHandler password = callbacks -> ((WSPasswordCallback) callbacks[0]).setPassword(PASSWORD);
            // the suites of WS-SecurityPolicy 1.3 have SHA-1 for signatures, all of them
            String more = "http://www.w3.org/2001/04/xmldsig-more#";
            dispatch.getRequestContext()
                    .put(
                            org.apache.cxf.ws.security.SecurityConstants.ASYMMETRIC_SIGNATURE_ALGORITHM,
                            more + "rsa-sha256");
            dispatch.getRequestContext()
                    .put(
                            org.apache.cxf.ws.security.SecurityConstants.SYMMETRIC_SIGNATURE_ALGORITHM,
                            more + "hmac-sha256");
            dispatch.getRequestContext()
                    .putAll(Map.of(
                            SecurityConstants.SIGNATURE_CRYPTO + FOR_CONTEXTS, keys,
                            SecurityConstants.ENCRYPT_CRYPTO + FOR_CONTEXTS, keys,
                            SecurityConstants.SIGNATURE_USERNAME + FOR_CONTEXTS, "me",
                            SecurityConstants.CALLBACK_HANDLER + FOR_CONTEXTS, password));
        }

        /** The context that its messages are protected with; null before the first. */
        @Nullable
        Object context() {
            return client.getEndpoint().get(TOKEN);
        }

        /** Goes on in a context that another port has opened. */
        Port in(Object context) {
            dispatch.getRequestContext().put(TOKEN, context);
            return this;
        }

        /** Sends a body to a resource; answers that of the reply. */
        Element call(String resource, String action, String body) {
            Element key = xml("<j:ResourceID xmlns:j='" + JOB + "'>" + resource + "</j:ResourceID>");
            dispatch.getRequestContext()
                    .put(Header.HEADER_LIST, new ArrayList<>(List.of(new Header(new QName(JOB, "ResourceID"), key))));
            dispatch.getRequestContext().put(BindingProvider.SOAPACTION_USE_PROPERTY, true);
            dispatch.getRequestContext().put(BindingProvider.SOAPACTION_URI_PROPERTY, action);
            DOMResult reply = new DOMResult();
            try {
                TransformerFactory.newDefaultInstance()
                        .newTransformer()
                        .transform(dispatch.invoke(new StreamSource(new StringReader(body))), reply);
            } catch (TransformerException e) {
                throw new IllegalStateException(e);
            }
            Node node = reply.getNode();
            return node instanceof Document document ? document.getDocumentElement() : (Element) node;
        }
    }

    Port port(String service) throws IOException {
        return new Port(service, xml(Files.readString(Checkout.file("src/test/policies/conversation.xml"))));
    }

    static Element xml(String text) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
            return factory.newDocumentBuilder()
                    .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                    .getDocumentElement();
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    @Override
    public void close() {
        bus.shutdown(true);
    }
}
