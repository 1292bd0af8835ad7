// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.jobgate.delegation.token.TokenProblem.ALGORITHM;
import static org.jobgate.delegation.token.TokenProblem.AUDIENCE;
import static org.jobgate.delegation.token.TokenProblem.ENCRYPTED;
import static org.jobgate.delegation.token.TokenProblem.EXPIRED;
import static org.jobgate.delegation.token.TokenProblem.HEADER;
import static org.jobgate.delegation.token.TokenProblem.ISSUER;
import static org.jobgate.delegation.token.TokenProblem.KEYS_UNAVAILABLE;
import static org.jobgate.delegation.token.TokenProblem.LIFETIME;
import static org.jobgate.delegation.token.TokenProblem.MALFORMED;
import static org.jobgate.delegation.token.TokenProblem.NOT_SIGNED;
import static org.jobgate.delegation.token.TokenProblem.NOT_YET_VALID;
import static org.jobgate.delegation.token.TokenProblem.NO_EXPIRY;
import static org.jobgate.delegation.token.TokenProblem.PROFILE;
import static org.jobgate.delegation.token.TokenProblem.SCOPE;
import static org.jobgate.delegation.token.TokenProblem.SIGNATURE;
import static org.jobgate.delegation.token.TokenProblem.SUBJECT;
import static org.jobgate.delegation.token.TokenProblem.TOO_LARGE;
import static org.jobgate.delegation.token.TokenProblem.TYPE;
import static org.jobgate.delegation.token.TokenProblem.UNKNOWN_KEY;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jwt.EncryptedJWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jobgate.delegation.token.TokenProblem;

/** Tokens that must be refused, each for a reason of its own. */
@SuppressWarnings("JavaUtilDate") // what the library takes
final class WrongTokens {

    static final String WLCG = "https://wlcg.example.org/";
    static final String SCITOKENS = "https://scitokens.example.org";
    static final String UNREACHABLE = "https://away.example.org/";

    final TestTokens wlcg = new TestTokens(WLCG);
    final TestTokens scitokens = new TestTokens(SCITOKENS);
    private final TestTokens stranger = new TestTokens("https://stranger.example.org/");
    private final TestTokens away = new TestTokens(UNREACHABLE);
    private final List<Row> rows = new ArrayList<>();

    /** One token, with the problem that must be found. */
    record Row(String what, String token, TokenProblem problem) {
        @Override
        public String toString() {
            return what;
        }
    }

    WrongTokens() {
        try {
            forms();
            signatures();
            headers();
            times();
            claims();
            profiles();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }

    private void row(String what, String token, TokenProblem problem) {
        rows.add(new Row(what, token, problem));
    }

    private void claims(String what, TokenProblem problem, Consumer<JWTClaimsSet.Builder> change) {
        JWTClaimsSet.Builder claims = wlcg.wlcg();
        change.accept(claims);
        row(what, wlcg.sign(claims), problem);
    }

    private void header(String what, TokenProblem problem, Consumer<JWSHeader.Builder> change) {
        row(what, wlcg.sign(wlcg.wlcg().build(), change), problem);
    }

    private void forms() throws JOSEException {
        String good = wlcg.sign(wlcg.wlcg());
        row("no token at all, but a word", "secret-word-" + "x".repeat(30), MALFORMED);
        row("token without its signature's part", good.substring(0, good.lastIndexOf('.')), MALFORMED);
        row("token with a fourth part", good + ".AAAA", MALFORMED);
        row("payload that is no JSON", swapPayload(good, "<xml/>"), MALFORMED);
        row("claim of the wrong type", swapPayload(good, "{\"iss\": [1], \"exp\": \"soon\"}"), MALFORMED);
        row("alg none", new PlainJWT(wlcg.wlcg().build()).serialize(), NOT_SIGNED);
        EncryptedJWT sealed = new EncryptedJWT(
                new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM),
                wlcg.wlcg().build());
        sealed.encrypt(new RSAEncrypter(wlcg.rsa.toRSAPublicKey()));
        row("encrypted token", sealed.serialize(), ENCRYPTED);
        row("oversized token", wlcg.sign(wlcg.wlcg().claim("x", "y".repeat(10_000))), TOO_LARGE);
    }

    private static String swapPayload(String token, String payload) {
        String[] parts = token.split("\\.", -1);
        return parts[0] + "." + base64(payload) + "." + parts[2];
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private void signatures() throws JOSEException {
        SignedJWT confused = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa-1").build(),
                wlcg.wlcg().build());
        confused.sign(new MACSigner(wlcg.rsa.toRSAPublicKey().getEncoded()));
        row("HS256 with the issuer's public RSA key as secret (algorithm confusion)", confused.serialize(), ALGORITHM);
        JWSHeader rs256 =
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa-1").build();
        row("signed with another key", TestTokens.sign(rs256, wlcg.wlcg().build(), stranger.rsa), SIGNATURE);
        row(
                "signed by another issuer that is taken",
                TestTokens.sign(rs256, wlcg.wlcg().build(), scitokens.rsa),
                SIGNATURE);
        String good = wlcg.sign(wlcg.wlcg());
        row(
                "changed after it was signed",
                swapPayload(good, wlcg.wlcg().subject("root").build().toString()),
                SIGNATURE);
        row("signature left empty", good.substring(0, good.lastIndexOf('.') + 1) + "AA", SIGNATURE);
        JWSHeader ec = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("rsa-1").build();
        row("ES256 with the kid of an RSA key", TestTokens.sign(ec, wlcg.wlcg().build(), wlcg.ec), UNKNOWN_KEY);
    }

    private void headers() {
        header("kid that the issuer does not have", UNKNOWN_KEY, h -> h.keyID("rsa-2"));
        header("kid that is a path", UNKNOWN_KEY, h -> h.keyID("../../../../dev/null"));
        header("kid that is SQL", UNKNOWN_KEY, h -> h.keyID("x' UNION SELECT 'key"));
        header("kid with a line break for the log", UNKNOWN_KEY, h -> h.keyID("x\r\n2026 forged line"));
        header("oversized kid", HEADER, h -> h.keyID("k".repeat(300)));
        header("own key in the header (jwk)", HEADER, h -> h.jwk(stranger.rsa.toPublicJWK()));
        header(
                "address of keys in the header (jku)",
                HEADER,
                h -> h.jwkURL(URI.create("https://evil.example.org/jwk")));
        header(
                "address of a certificate in the header (x5u)",
                HEADER,
                h -> h.x509CertURL(URI.create("https://evil.example.org/c")));
        header(
                "critical header that is not understood",
                HEADER,
                h -> h.customParam("exotic", true).criticalParams(Set.of("exotic")));
        header("logout token (typ)", TYPE, h -> h.type(new JOSEObjectType("logout+jwt")));
    }

    private void times() {
        Instant now = Instant.now();
        claims(
                "expired",
                EXPIRED,
                c -> c.expirationTime(Date.from(now.minusSeconds(120)))
                        .issueTime(Date.from(now.minusSeconds(600)))
                        .notBeforeTime(Date.from(now.minusSeconds(600))));
        claims("without an expiry", NO_EXPIRY, c -> c.expirationTime(null));
        claims("nbf in the future", NOT_YET_VALID, c -> c.notBeforeTime(Date.from(now.plusSeconds(600))));
        claims("iat in the future", NOT_YET_VALID, c -> c.issueTime(Date.from(now.plusSeconds(600))));
        claims(
                "valid for longer than the site takes",
                LIFETIME,
                c -> c.expirationTime(Date.from(now.plus(Duration.ofDays(400)))));
    }

    private void claims() {
        claims("no issuer", ISSUER, c -> c.issuer(null));
        claims("issuer with a slash less", ISSUER, c -> c.issuer("https://wlcg.example.org"));
        row("issuer that the site does not name", stranger.sign(stranger.wlcg()), ISSUER);
        row("issuer whose keys cannot be had", away.sign(away.plain()), KEYS_UNAVAILABLE);
        claims("meant for another service", AUDIENCE, c -> c.audience("https://other.example.org"));
        claims("meant for nobody", AUDIENCE, c -> c.audience((String) null));
        claims("meant for every service of another profile", AUDIENCE, c -> c.audience("ANY"));
        claims("no subject", SUBJECT, c -> c.subject(null));
        claims("subject with a line break", SUBJECT, c -> c.subject("alice\nroot"));
        claims("oversized subject", SUBJECT, c -> c.subject("s".repeat(300)));
        claims("no scope", SCOPE, c -> c.claim("scope", null));
        claims("empty scope", SCOPE, c -> c.claim("scope", "  "));
        claims("without a scope that the site asks of every token", SCOPE, c -> c.claim("scope", "compute.read"));
        claims("scope that is a number", SCOPE, c -> c.claim("scope", 7));
        claims("scope with a quote", SCOPE, c -> c.claim("scope", "compute.read \"x\""));
        claims(
                "too many scopes",
                SCOPE,
                c -> c.claim(
                        "scope", IntStream.range(0, 300).mapToObj(i -> "s" + i).collect(Collectors.joining(" "))));
    }

    private void profiles() {
        claims("WLCG token without its version", PROFILE, c -> c.claim("wlcg.ver", null));
        claims("WLCG token of version 2", PROFILE, c -> c.claim("wlcg.ver", "2.0"));
        claims("WLCG token whose version is a number", PROFILE, c -> c.claim("wlcg.ver", 1));
        claims("WLCG token whose groups are a text", MALFORMED, c -> c.claim("wlcg.groups", "/atlas"));
        row("SciToken without its version", scitokens.sign(scitokens.plain()), PROFILE);
        row("SciToken of version 1", scitokens.sign(scitokens.plain().claim("ver", "scitoken:1.0")), PROFILE);
    }
}
