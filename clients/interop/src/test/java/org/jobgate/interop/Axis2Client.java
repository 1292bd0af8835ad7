// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import eu.emi.security.authn.x509.impl.HostnameMismatchCallback2;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.PEMCredential;
import eu.emi.security.authn.x509.impl.SocketFactoryCreator2;
import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import org.apache.axiom.om.OMElement;
import org.apache.axis2.client.Stub;
import org.apache.axis2.context.ConfigurationContext;
import org.apache.axis2.context.ConfigurationContextFactory;
import org.apache.axis2.kernel.http.HTTPConstants;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.jobgate.interop.stub.factory.ManagedJobFactoryServiceStub;
import org.jobgate.interop.stub.job.ManagedExecutableJobServiceStub;
import org.jobgate.interop.stub.subscription.SubscriptionManagerServiceStub;

/** The stubs that Axis2 generated from our WSDL, with a proxy as their TLS identity. */
final class Axis2Client implements AutoCloseable {

    private final ConfigurationContext context;
    private final CloseableHttpClient http;
    private final String services;

    Axis2Client(Gateway gateway) throws IOException, GeneralSecurityException {
        services = gateway.services();
        http = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setTlsSocketStrategy(new DefaultClientTlsStrategy(tls(gateway)))
                        .build())
                .build();
        context = ConfigurationContextFactory.createConfigurationContextFromFileSystem(null, null);
    }

    private static SSLContext tls(Gateway gateway) throws IOException, GeneralSecurityException {
        PEMCredential proxy = new PEMCredential(gateway.proxy().toString(), (char[]) null);
        OpensslCertChainValidator trust =
                new OpensslCertChainValidator(gateway.trustDirectory().toString());
        // the name of the server is checked by the HTTP client
        HostnameMismatchCallback2 anyName = (certificate, name) -> {};
        return new SocketFactoryCreator2(proxy, trust, anyName).getSSLContext();
    }

    ManagedJobFactoryServiceStub factory(OMElement resource) throws IOException {
        return ready(new ManagedJobFactoryServiceStub(context, services + "/ManagedJobFactoryService"), resource);
    }

    ManagedExecutableJobServiceStub job(OMElement resource) throws IOException {
        return ready(new ManagedExecutableJobServiceStub(context, services + "/ManagedExecutableJobService"), resource);
    }

    SubscriptionManagerServiceStub subscription(OMElement resource) throws IOException {
        return ready(new SubscriptionManagerServiceStub(context, services + "/SubscriptionManagerService"), resource);
    }

    /** For stubs that are made elsewhere. */
    ConfigurationContext context() {
        return context;
    }

    /** A stub that connects as we do. */
    <S extends Stub> S ready(S stub) {
        stub._getServiceClient().getOptions().setProperty(HTTPConstants.CACHED_HTTP_CLIENT, http);
        return stub;
    }

    /** @param resource the header that names the resource: an EPR's reference property as it came */
    private <S extends Stub> S ready(S stub, OMElement resource) throws IOException {
        stub._getServiceClient().addHeader(resource);
        return ready(stub);
    }

    @Override
    public void close() throws IOException {
        http.close();
        context.terminate();
    }
}
