// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.delegation;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.tls.BearerToken;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.ProxySigner;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.SoapClient;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.XmlElement;

/** Talks to a delegation factory and to what it has made, in the words of GT 4.0. */
public final class DelegationService {
    private static final String PORT = Names.DELEGATION + "/DelegationFactoryPortType/";
    private static final String TRUST = "http://schemas.xmlsoap.org/ws/2004/04/trust";
    private static final String SECURITY =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    private static final String PKI_PATH =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509PKIPathv1";
    private static final String WEB_TOKEN = "urn:ietf:params:oauth:token-type:jwt"; // RFC 7519 section 9
    private static final String BASE64 =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary";
    private static final String CHAIN_PROPERTY = "<GetResourceProperty xmlns=\"" + Names.PROPERTIES
            + "\" xmlns:deleg=\"" + Names.DELEGATION + "\">deleg:CertificateChain</GetResourceProperty>";
    private static final String DESTROY = "<Destroy xmlns=\"" + Names.LIFETIME + "\"/>";

    private final SoapClient soap;
    private final Credential credential;
    private final ProxySigner signer;

    /** @param credential what is delegated from */
    public DelegationService(SoapClient soap, Credential credential, Clock clock, RandomGenerator random) {
        this.soap = requireNonNull(soap, "soap is null");
        this.credential = requireNonNull(credential, "credential is null");
        this.signer = new ProxySigner(clock, random);
    }

    /** Where credentials are delegated for the jobs of a job factory; {@code property} is one of the two that say so. */
    public Epr factoryOf(Epr jobFactory, String property) throws IOException, SoapFaultException {
        String body = "<GetResourceProperty xmlns=\"" + Names.PROPERTIES + "\" xmlns:job=\"" + Names.JOB + "\">job:"
                + property + "</GetResourceProperty>";
        XmlElement endpoint =
                soap.call(jobFactory, Names.GET_PROPERTY_ACTION, "", body).child(Names.JOB, property);
        if (endpoint == null) {
            throw new IOException(jobFactory.address() + " names no delegation service.");
        }
        return reference(jobFactory, endpoint);
    }

    private static Epr reference(Epr service, XmlElement element) throws IOException {
        try {
            return Epr.of(element);
        } catch (XMLStreamException e) {
            throw new IOException(service.address() + " answered with a broken endpoint reference.", e);
        }
    }

    /** Delegates; answers where the credential is. */
    public Epr delegate(Epr factory, Duration lifetime, boolean isLimited) throws IOException, SoapFaultException {
        return delegated(soap, factory, token(factory, lifetime, isLimited));
    }

    /** Delegates a bearer token; answers where it is. Jobgate takes it, GT4 did not know tokens. */
    static Epr delegate(SoapClient soap, Epr factory, BearerToken token) throws IOException, SoapFaultException {
        return delegated(soap, factory, element(WEB_TOKEN, token.base64()));
    }

    private static Epr delegated(SoapClient soap, Epr factory, String token) throws IOException, SoapFaultException {
        String body = "<RequestSecurityToken xmlns=\"" + TRUST + "\">" + token + "</RequestSecurityToken>";
        XmlElement response = soap.call(factory, PORT + "RequestSecurityTokenRequest", "", body);
        if (response.children().isEmpty()) {
            throw new IOException(factory.address() + " answered without the credential's endpoint reference.");
        }
        return reference(factory, response.children().getFirst());
    }

    /** Puts a new proxy in the place of the one that was delegated. */
    public void refresh(Epr delegated, Duration lifetime, boolean isLimited) throws IOException, SoapFaultException {
        renew(soap, delegated, token(factoryBeside(delegated), lifetime, isLimited));
    }

    /** Puts a new token in the place of the one that was delegated. */
    static void refresh(SoapClient soap, Epr delegated, BearerToken token) throws IOException, SoapFaultException {
        renew(soap, delegated, element(WEB_TOKEN, token.base64()));
    }

    private static void renew(SoapClient soap, Epr delegated, String token) throws IOException, SoapFaultException {
        String body = "<refreshRequest xmlns=\"" + Names.DELEGATION + "\">" + token + "</refreshRequest>";
        soap.call(delegated, Names.DELEGATION + "/DelegationPortType/refreshRequest", "", body);
    }

    /** The two services stand side by side (facts/gram4.md section 5). */
    private static Epr factoryBeside(Epr delegated) {
        String address = delegated.address().replaceFirst("/DelegationService$", "/DelegationFactoryService");
        return new Epr(address, List.of());
    }

    public void destroy(Epr delegated) throws IOException, SoapFaultException {
        soap.call(delegated, Names.DESTROY_ACTION, "", DESTROY);
    }

    private String token(Epr factory, Duration lifetime, boolean isLimited) throws IOException, SoapFaultException {
        XmlElement property = soap.call(factory, Names.GET_PROPERTY_ACTION, "", CHAIN_PROPERTY);
        XmlElement chain = property.child(Names.DELEGATION, "CertificateChain");
        String theirs = chain == null ? null : chain.childText(SECURITY, "BinarySecurityToken");
        if (theirs == null) {
            throw new IOException(factory.address() + " shows no key to delegate to.");
        }
        try {
            byte[] path = Base64.getMimeDecoder().decode(theirs);
            byte[] ours = ProxySigner.pkiPath(
                    signer.sign(credential, ProxySigner.newestOf(path).getPublicKey(), lifetime, isLimited));
            return element(PKI_PATH, Base64.getEncoder().encodeToString(ours));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("No proxy can be signed for " + factory.address() + ": " + e.getMessage(), e);
        }
    }

    private static String element(String form, String content) {
        return "<wsse:BinarySecurityToken xmlns:wsse=\"" + SECURITY + "\" EncodingType=\"" + BASE64 + "\" ValueType=\""
                + form + "\">" + content + "</wsse:BinarySecurityToken>";
    }
}
