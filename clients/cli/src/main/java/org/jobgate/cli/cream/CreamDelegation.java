// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.ProxySigner;
import org.jobgate.cli.tls.SigningRequest;
import org.jobgate.cli.wire.PlainSoap;
import org.jobgate.cli.wire.XmlElement;
import org.jobgate.cli.wire.XmlText;

/** The delegation service of gridsite beside CREAM (facts/cream.md, section 5). The private key stays here. */
public final class CreamDelegation {

    private static final String NAMESPACE = "http://www.gridsite.org/namespaces/delegation-2";

    /** A delegated proxy never lives longer than the credential that it is made of. */
    private static final Duration LIFETIME = Duration.ofDays(366);

    private static final int ID_BYTES = 20;

    private final PlainSoap soap;
    private final CreamConfig config;
    private final Credential credential;
    private final ProxySigner signer;

    public CreamDelegation(
            PlainSoap soap, CreamConfig config, Credential credential, Clock clock, SecureRandom random) {
        this.soap = requireNonNull(soap, "soap is null");
        this.config = requireNonNull(config, "config is null");
        this.credential = requireNonNull(credential, "credential is null");
        this.signer = new ProxySigner(clock, random);
    }

    /** An id that nobody has used. */
    public static String newId(SecureRandom random) {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    public void delegate(Endpoint endpoint, String id) throws CreamException {
        put(endpoint, id, "getProxyReq");
    }

    public void renew(Endpoint endpoint, String id) throws CreamException {
        put(endpoint, id, "renewProxyReq");
    }

    private void put(Endpoint endpoint, String id, String operation) throws CreamException {
        String url = endpoint.url(config.delegation());
        try {
            XmlElement answer = soap.call(url, "", request(operation, element("delegationID", id)));
            String wanted = answer == null || answer.children().isEmpty()
                    ? ""
                    : answer.children().getFirst().text();
            List<X509Certificate> chain = signer.sign(credential, SigningRequest.keyOf(wanted), LIFETIME, false);
            XmlElement unused = soap.call(
                    url,
                    "",
                    request("putProxy", element("delegationID", id) + element("proxy", SigningRequest.pem(chain))));
        } catch (PlainSoap.FaultException e) {
            throw new CreamException(CreamFaults.ofSoap(e.fault()), e);
        } catch (IOException e) {
            throw new CreamException(Sentence.of(e.getMessage()), e);
        } catch (GeneralSecurityException e) {
            throw new CreamException("No proxy can be signed for " + url + ": " + e.getMessage(), e);
        }
    }

    private static String request(String operation, String parts) {
        return "<d:" + operation + " xmlns:d=\"" + NAMESPACE + "\">" + parts + "</d:" + operation + ">";
    }

    private static String element(String name, String text) {
        return "<" + name + ">" + XmlText.escaped(text) + "</" + name + ">";
    }
}
