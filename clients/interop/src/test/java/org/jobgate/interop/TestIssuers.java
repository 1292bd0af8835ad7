// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * Who says something of users, for one gateway of the tests: an issuer of WLCG tokens, and a VOMS server whose certificate is the gateway's
 * own. The gateway's grid-mapfile and FQAN map know what they say.
 */
final class TestIssuers {

    /** The virtual organization. */
    static final String VO = "interop";

    /** Whoever has this is mapped by it. */
    static final String FQAN = "/interop/Role=runner";

    static final String ISSUER = "https://issuer.interop.invalid";
    private static final String SCOPES = "compute.read compute.create compute.modify compute.cancel";

    private final Path directory;
    private final KeyPair keys;

    private TestIssuers(Path directory, KeyPair keys) {
        this.directory = requireNonNull(directory, "directory is null");
        this.keys = requireNonNull(keys, "keys is null");
    }

    /** Writes what the gateway in the directory reads; its grid-mapfile must be there. */
    static TestIssuers in(Path directory) throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            TestIssuers issuers = new TestIssuers(directory, generator.generateKeyPair());
            issuers.write();
            return issuers;
        } catch (GeneralSecurityException e) {
            throw new IOException("no key for the tokens", e);
        }
    }

    private void write() throws IOException {
        String account = System.getProperty("user.name");
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        Files.writeString(
                directory.resolve("issuer.json"),
                "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"one\",\"n\":\"%s\",\"e\":\"%s\"}]}"
                        .formatted(number(key.getModulus()), number(key.getPublicExponent())));
        Files.writeString(
                directory.resolve("grid-mapfile"),
                "\"" + ISSUER + ",tokenuser\" " + account + "\n",
                StandardOpenOption.APPEND);
        Files.writeString(directory.resolve("fqan-map"), "\"" + FQAN + "\" " + account + "\n");
        Path servers = Files.createDirectories(directory.resolve("vomsdir").resolve(VO));
        Files.writeString(
                servers.resolve("localhost.lsc"),
                "/O=Jobgate Trial/CN=localhost\n/O=Jobgate Trial/CN=Jobgate Trial CA\n");
    }

    private static String number(BigInteger number) {
        byte[] bytes = number.toByteArray();
        int zeros = bytes[0] == 0 ? 1 : 0;
        return base64(Arrays.copyOfRange(bytes, zeros, bytes.length));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** The public keys by which others verify the issuer's tokens: a JSON Web Key Set (RFC 7517 section 5). */
    Path publicKeys() {
        return directory.resolve("issuer.json");
    }

    /**
     * Sections for the gateway's configuration.
     *
     * @param hasDecisionPoints whether the gateway names its decision points itself
     */
    String configuration(boolean hasDecisionPoints) {
        String issuers = """
                credentials: { vomsDirectory: %1$s/vomsdir }
                tokenIssuers: [ { issuer: "%2$s", profile: wlcg, keysFile: %1$s/issuer.json } ]
                """.formatted(directory, ISSUER);
        return hasDecisionPoints
                ? issuers
                : issuers
                        + "decisionPoints: [ { kind: fqan-map, file: %s/fqan-map }, { kind: grid-mapfile } ]%n"
                                .formatted(directory);
    }

    /**
     * A WLCG token of the mapped user.
     *
     * @param audience for whom it is meant
     * @param seconds from now to its end
     */
    String token(String audience, int seconds) throws GeneralSecurityException {
        return token(audience, seconds, SCOPES);
    }

    /** One of other scopes. */
    String token(String audience, int seconds, String scopes) throws GeneralSecurityException {
        long now = Instant.now().getEpochSecond();
        String claims =
                "{\"wlcg.ver\":\"1.0\",\"iss\":\"%s\",\"sub\":\"tokenuser\",\"aud\":\"%s\",\"iat\":%d,\"nbf\":%d,\"exp\":%d,\"scope\":\"%s\"}"
                        .formatted(ISSUER, audience, now - 600, now - 600, now + seconds, scopes);
        String text = base64("{\"alg\":\"RS256\",\"kid\":\"one\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + base64(claims.getBytes(StandardCharsets.UTF_8));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate());
        signature.update(text.getBytes(StandardCharsets.UTF_8));
        return text + "." + base64(signature.sign());
    }
}
