// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import eu.emi.security.authn.x509.X509Credential;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.PEMCredential;
import eu.emi.security.authn.x509.impl.SocketFactoryCreator2;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import eu.emi.security.authn.x509.proxy.ProxyRequestOptions;
import eu.emi.security.authn.x509.proxy.ProxyType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.net.ssl.SSLSocket;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;

/** A client of httpg that delegates its proxy while it connects: the byte {@code D}, the server's request, a proxy that is signed over it. */
record HttpgClient(Gateway gateway) {

    /** Sends one message, and answers what comes back. */
    String ask(String operation, String content) throws Exception {
        X509Credential credential = new PEMCredential(gateway.proxy().toString(), (char[]) null);
        OpensslCertChainValidator validator =
                new OpensslCertChainValidator(gateway.trustDirectory().toString());
        try (SSLSocket socket = (SSLSocket) new SocketFactoryCreator2(credential, validator, (certificate, name) -> {})
                .getSocketFactory()
                .createSocket("localhost", gateway.port())) {
            socket.setSoTimeout(240_000);
            socket.startHandshake();
            delegate(socket, credential);
            String body = SrmCalls.envelope(operation, content);
            send(
                    socket,
                    ("POST httpg://localhost:" + gateway.port() + "/srm/v2/server HTTP/1.1\r\nHost: localhost:"
                                    + gateway.port()
                                    + "\r\nSOAPAction: \"\"\r\nContent-Type: text/xml\r\nConnection: close\r\nContent-Length: "
                                    + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            validator.dispose();
        }
    }

    private static void send(SSLSocket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    private static void delegate(SSLSocket socket, X509Credential credential) throws Exception {
        send(socket, new byte[] {'D'});
        InputStream in = socket.getInputStream();
        byte[] head = in.readNBytes(4); // a sequence of more than 255 bytes
        byte[] rest = in.readNBytes(((head[2] & 0xff) << 8) | (head[3] & 0xff));
        byte[] request = Arrays.copyOf(head, head.length + rest.length);
        System.arraycopy(rest, 0, request, head.length, rest.length);
        ProxyRequestOptions options =
                new ProxyRequestOptions(credential.getCertificateChain(), new PKCS10CertificationRequest(request));
        options.setType(ProxyType.RFC3820);
        send(socket, ProxyGenerator.generate(options, credential.getKey())[0].getEncoded());
    }
}
