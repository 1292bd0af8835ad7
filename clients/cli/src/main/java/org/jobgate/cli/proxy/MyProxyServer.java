// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1InputStream;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.jobgate.cli.ca.Issued;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.ServerName;
import org.jobgate.cli.tls.TlsConnector;
import org.jobgate.cli.tls.TrustDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A MyProxy server, asked for a proxy with the pass phrase under which its owner left one there, or by one who may renew it: the GET
 * command of the MyProxy protocol, version 2 (http://grid.ncsa.illinois.edu/myproxy/protocol/; OGF GFD-E.54). The key is made here and never sent.
 *
 * @param host its name
 * @param port its port
 * @param expected who it must be
 * @param timeout for each step on the network
 */
record MyProxyServer(String host, int port, ServerName expected, Duration timeout) {
    static final int PORT = 7512;

    private static final int TEXT_MAX = 64 * 1024;
    private static final int UTF8_BYTES_MAX = 4;
    private static final int CERTIFICATE_MAX = 64 * 1024;
    private static final String CHALLENGE = "AUTHORIZATION_DATA=X509_certificate:";

    /** GSI's word, before anything else, that no credential is delegated to the server. */
    private static final byte[] NOTHING_DELEGATED = {'0'};

    /**
     * What is wanted.
     *
     * @param user under which name it was left there
     * @param credential which one of that name; null for the one without a name
     * @param lifetime of the proxy; the server may give less
     */
    record Wish(String user, @Nullable String credential, Duration lifetime) {
        Wish {
            if ((user + credential).chars().anyMatch(c -> c < ' ')) {
                throw new IllegalArgumentException("A user name or credential name with a line break is not sent.");
            }
        }
    }

    /**
     * Gets a proxy over the keys.
     *
     * @throws CredentialException the server said no; its sentence is in the message
     * @throws IOException not reached, not believed, or not understood; the message is for a person
     */
    Issued get(Wish wish, Entitlement by, KeyPair keys, TrustDirectory trusted)
            throws IOException, CredentialException, GeneralSecurityException {
        try (SSLSocket socket =
                TlsConnector.connect(by.caller(), trusted, expected, host, port, Math.toIntExact(timeout.toMillis()))) {
            try {
                return get(wish, by, keys, socket);
            } catch (SSLException | SocketException e) {
                throw TlsConnector.explained(e, socket, by.caller());
            }
        }
    }

    private Issued get(Wish wish, Entitlement by, KeyPair keys, SSLSocket socket)
            throws IOException, CredentialException, GeneralSecurityException {
        OutputStream out = socket.getOutputStream();
        InputStream in = socket.getInputStream();
        out.write(NOTHING_DELEGATED);
        out.write(request(wish, by.passphrase()));
        String answer = firstText(in);
        if (by instanceof Entitlement.Renewal renewal && asksForProof(answer)) {
            out.write(renewal.answer(challenge(answer)));
            answer = text(in);
        }
        requireYes(answer);
        out.write(signingRequest(keys));
        List<X509Certificate> chain = certificates(in);
        requireYes(text(in));
        if (chain.isEmpty() || !chain.getFirst().getPublicKey().equals(keys.getPublic())) {
            throw new IOException(
                    "What the MyProxy server " + host + ":" + port + " sent is not a proxy over our key.");
        }
        return new Issued(chain, keys.getPrivate());
    }

    private static byte[] request(Wish wish, char[] passphrase) throws CredentialException {
        String before = "VERSION=MYPROXYv2\nCOMMAND=0\nUSERNAME=" + wish.user() + "\nPASSPHRASE=";
        String after = "\nLIFETIME=" + wish.lifetime().toSeconds() + "\n"
                + (wish.credential() == null ? "" : "CRED_NAME=" + wish.credential() + "\n");
        byte[] bytes = utf8(passphrase);
        for (byte one : bytes) {
            if (one == '\n' || one == 0) {
                throw new CredentialException("A pass phrase with a line break is not sent.");
            }
        }
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(before.getBytes(StandardCharsets.UTF_8));
        message.writeBytes(bytes);
        Arrays.fill(bytes, (byte) 0);
        message.writeBytes(after.getBytes(StandardCharsets.UTF_8));
        message.write(0);
        return message.toByteArray();
    }

    private static byte[] utf8(char[] passphrase) throws CredentialException {
        ByteBuffer buffer = ByteBuffer.allocate(passphrase.length * UTF8_BYTES_MAX);
        boolean isText = !StandardCharsets.UTF_8
                .newEncoder()
                .encode(CharBuffer.wrap(passphrase), buffer, true)
                .isError();
        Arrays.fill(passphrase, ' ');
        byte[] bytes = Arrays.copyOf(buffer.array(), buffer.position());
        Arrays.fill(buffer.array(), (byte) 0);
        if (!isText) {
            throw new CredentialException("The pass phrase is no text.");
        }
        return bytes;
    }

    private static byte[] signingRequest(KeyPair keys) throws IOException, GeneralSecurityException {
        try {
            String algorithm = keys.getPrivate().getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
            // the name is the server's to choose
            return new JcaPKCS10CertificationRequestBuilder(new X500Principal("CN=proxy"), keys.getPublic())
                    .build(new JcaContentSignerBuilder(algorithm).build(keys.getPrivate()))
                    .getEncoded();
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException("cannot sign: " + e.getMessage(), e);
        }
    }

    /** Globus's GSI ends a handshake of TLS 1.3 (and none of TLS 1.2) with a zero byte of its own (seen of myproxy-server 6.2). */
    private String firstText(InputStream in) throws IOException {
        String text = text(in);
        return text.isEmpty() ? text(in) : text;
    }

    /** Lines that end with a zero byte. */
    private String text(InputStream in) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int next = in.read(); next != 0; next = in.read()) {
            if (next < 0) {
                throw new EOFException(
                        "The MyProxy server " + host + ":" + port + " closed the connection before it answered.");
            }
            if (text.size() == TEXT_MAX) {
                throw new IOException(
                        "The MyProxy server " + host + ":" + port + " sent more text than " + TEXT_MAX + " bytes.");
            }
            text.write(next);
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    private static boolean asksForProof(String answer) {
        return answer.lines().anyMatch("RESPONSE=2"::equals);
    }

    private String challenge(String answer) throws CredentialException {
        return answer.lines()
                .filter(line -> line.startsWith(CHALLENGE))
                .map(line -> line.substring(CHALLENGE.length()))
                .findFirst()
                .orElseThrow(() -> new CredentialException("The MyProxy server " + host + ":" + port
                        + " renews no proxy by a certificate: it offers other ways only."));
    }

    private void requireYes(String answer) throws IOException, CredentialException {
        if (answer.lines().noneMatch("VERSION=MYPROXYv2"::equals)) {
            throw new IOException("The server at " + host + ":" + port + " does not speak MyProxy, version 2.");
        }
        if (answer.lines().noneMatch("RESPONSE=0"::equals)) {
            String why = answer.lines()
                    .filter(line -> line.startsWith("ERROR="))
                    .map(line -> Printable.of(line.substring("ERROR=".length())))
                    .collect(Collectors.joining("; "));
            throw new CredentialException("The MyProxy server " + host + ":" + port + " refused: "
                    + (why.isEmpty() ? "it does not say why" : why) + ".");
        }
    }

    /** How many there are, in one byte; then each in DER, the newest first. */
    private List<X509Certificate> certificates(InputStream in) throws IOException, GeneralSecurityException {
        int count = in.read();
        if (count < 0) {
            throw new EOFException("The MyProxy server " + host + ":" + port + " sent no certificates.");
        }
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> chain = new ArrayList<>();
        ASN1InputStream der = new ASN1InputStream(in, CERTIFICATE_MAX);
        for (int i = 0; i < count; i++) {
            ASN1Primitive one = der.readObject();
            if (one == null) {
                throw new EOFException(
                        "The MyProxy server " + host + ":" + port + " sent " + i + " of " + count + " certificates.");
            }
            chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(one.getEncoded())));
        }
        return chain;
    }
}
