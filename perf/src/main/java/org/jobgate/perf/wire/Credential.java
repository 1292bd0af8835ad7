// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A certificate chain, leaf first, with its key: a proxy file as grid tools write it (certificate, key, further certificates) or any
 * PEM file with both. Keys: PKCS#8, or RSA in PKCS#1 as older proxy tools write them.
 */
public record Credential(List<X509Certificate> chain, PrivateKey key) {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");
    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC");

    /** AlgorithmIdentifier of rsaEncryption with NULL parameters (RFC 8017 appendix A.1). */
    private static final byte[] RSA_ALGORITHM = {
        0x30, 0x0d, 0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00
    };

    private static final byte[] PKCS8_VERSION = {0x02, 0x01, 0x00};
    private static final int DER_SEQUENCE = 0x30;
    private static final int DER_OCTET_STRING = 0x04;

    public Credential {
        chain = List.copyOf(chain);
        requireNonNull(key, "key is null");
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a credential needs at least one certificate");
        }
    }

    /** Reads a file. */
    public static Credential read(Path file) throws IOException, GeneralSecurityException {
        return parse(Files.readString(file, StandardCharsets.US_ASCII), file.toString());
    }

    /** Reads a certificate and a key that lie in a file each. */
    public static Credential read(Path certificate, Path key) throws IOException, GeneralSecurityException {
        String pem = Files.readString(certificate, StandardCharsets.US_ASCII) + "\n"
                + Files.readString(key, StandardCharsets.US_ASCII);
        return parse(pem, certificate + " and " + key);
    }

    static Credential parse(String pem, String source) throws GeneralSecurityException {
        List<X509Certificate> chain = new ArrayList<>();
        PrivateKey key = null;
        for (Matcher block = BLOCK.matcher(pem); block.find(); ) {
            byte[] der = Base64.getMimeDecoder().decode(block.group(2));
            switch (block.group(1)) {
                case "CERTIFICATE" -> chain.add(certificate(der));
                case "PRIVATE KEY" -> key = privateKey(der, source);
                case "RSA PRIVATE KEY" -> key = privateKey(rsaInPkcs8(der), source);
                default ->
                    throw new GeneralSecurityException(source + " holds a block '" + block.group(1)
                            + "': it must be a certificate or a key without password");
            }
        }
        if (key == null || chain.isEmpty()) {
            throw new GeneralSecurityException(source + " holds " + chain.size() + " certificates and "
                    + (key == null ? "no key" : "a key") + ": it must hold both");
        }
        return new Credential(chain, key);
    }

    static X509Certificate certificate(byte[] encoded) throws GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    }

    private static PrivateKey privateKey(byte[] pkcs8, String source) throws GeneralSecurityException {
        GeneralSecurityException last = new GeneralSecurityException("no algorithm");
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (GeneralSecurityException notThisOne) {
                last = notThisOne;
            }
        }
        throw new GeneralSecurityException("the key in " + source + " is neither of " + KEY_ALGORITHMS, last);
    }

    private static byte[] rsaInPkcs8(byte[] pkcs1) {
        return der(DER_SEQUENCE, join(PKCS8_VERSION, RSA_ALGORITHM, der(DER_OCTET_STRING, pkcs1)));
    }

    private static byte[] der(int tag, byte[] content) {
        int length = content.length;
        byte[] head = length < 0x80
                ? new byte[] {(byte) tag, (byte) length}
                : length < 0x100
                        ? new byte[] {(byte) tag, (byte) 0x81, (byte) length}
                        : new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
        return join(head, content);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    /**
     * Always shows this credential. The JDK's own key managers choose by the issuers that the server names, and a proxy's issuer is
     * never among them.
     */
    X509ExtendedKeyManager keyManager() {
        return new Always(this);
    }

    private static final class Always extends X509ExtendedKeyManager {
        private static final String ALIAS = "credential";
        private final Credential credential;

        Always(Credential credential) {
            this.credential = credential;
        }

        @Override
        public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return ALIAS;
        }

        @Override
        public String chooseEngineClientAlias(
                String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return ALIAS;
        }

        @Override
        public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return ALIAS;
        }

        @Override
        public String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return ALIAS;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return credential.chain.toArray(X509Certificate[]::new);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return credential.key;
        }
    }
}
