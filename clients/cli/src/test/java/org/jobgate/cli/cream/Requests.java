// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Requests for certificates, as a delegation service makes them. */
public final class Requests {

    private Requests() {}

    /** One with a new key. */
    public static String pem() throws Exception {
        return pem("RSA", 2048, "SHA256withRSA");
    }

    static String pem(String algorithm, int size, String signature) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(size);
        return pem(generator.generateKeyPair(), signature);
    }

    static String pem(KeyPair keys, String signature) throws Exception {
        byte[] request = new JcaPKCS10CertificationRequestBuilder(new X500Principal("CN=x"), keys.getPublic())
                .build(new JcaContentSignerBuilder(signature).build(keys.getPrivate()))
                .getEncoded();
        return "-----BEGIN CERTIFICATE REQUEST-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(request)
                + "\n-----END CERTIFICATE REQUEST-----\n";
    }
}
