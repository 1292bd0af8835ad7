// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jwt.PlainJWT;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which a sign-in fails: no session begins, and a page says why. */
class SignInRefusalsTest {

    @TempDir
    Path folder = Path.of("");

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SETTINGS = ", scopes: [ compute.read ], maxAtOncePerAddress: 1";

    private TrialSignIns at;

    @BeforeEach
    void start() throws Exception {
        at = TrialSignIns.start(folder, SETTINGS, null);
    }

    @AfterEach
    void stop() throws Exception {
        at.close();
    }

    /** A page for people, which holds nothing that a client or the issuer wrote as HTML, and begins no session. */
    private static void isRefused(HttpResponse<String> answer, int status, String code) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body())
                .contains("<code>" + code + "</code>", "href=\"/console/\"")
                .doesNotContain("<script", TrialSignIns.SECRET);
        assertThat(TrialSignIns.header(answer, "Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(TrialSignIns.header(answer, "Content-Security-Policy")).contains("default-src 'none'");
        assertThat(TrialSignIns.header(answer, "Location")).isEmpty();
        assertThat(TrialSignIns.setCookie(answer, SignInCookies.SESSION)).isEmpty();
    }

    /** The issuer answers as the test says. */
    private HttpResponse<String> signIn() throws Exception {
        TrialSignIns.Begun begun = at.begin();
        return at.back(
                begun, "code=" + at.code(begun) + "&state=" + begun.query().get("state"));
    }

    @Test
    void nothingOfARequestSaysWhereTheBrowserIsSent() throws Exception {
        for (String query :
                List.of("return=https://evil.example.org/", "redirect_uri=https://evil.example.org/", "x")) {
            HttpResponse<String> answer = at.send("GET", "/console/signin?" + query);
            isRefused(answer, 400, "SIGNIN_QUERY");
        }
        HttpResponse<String> begun = at.send("GET", "/console/signin", "X-Forwarded-Host", "evil.example.org");
        assertThat(TrialSignIns.header(begun, "Location"))
                .startsWith(at.issuer + "/auth?")
                .doesNotContain("evil");
        TrialSignIns.Begun next = at.begin();
        HttpResponse<String> back = at.back(
                next,
                "code=" + at.code(next) + "&state=" + next.query().get("state") + "&return=https://evil.example.org/");
        assertThat(TrialSignIns.header(back, "Location")).isEqualTo("/console/");
    }

    @Test
    void anAnswerToAnotherBrowsersSignInIsRefused() throws Exception {
        TrialSignIns.Begun own = at.begin();
        TrialSignIns.Begun attackers = at.begin();
        String code = "code=" + at.code(attackers);
        isRefused(at.back(own, code), 403, "SIGNIN_STATE");
        isRefused(at.back(own, code + "&state="), 403, "SIGNIN_STATE");
        isRefused(at.back(own, code + "&state=" + attackers.query().get("state")), 403, "SIGNIN_STATE");
        String right = code + "&state=" + attackers.query().get("state");
        isRefused(at.send("GET", "/console/callback?" + right), 403, "SIGNIN_STATE");
        for (String cookie : List.of(
                "",
                "x",
                attackers.cookie().replaceFirst("\\..*", ".1"),
                attackers.cookie().replaceFirst("\\..*", ".999999999999"),
                attackers.cookie() + "; " + SignInCookies.BEGUN + "=" + attackers.cookie())) {
            isRefused(at.back(attackers, right, "Cookie", SignInCookies.BEGUN + "=" + cookie), 403, "SIGNIN_STATE");
        }
        assertThat(at.back(attackers, right).statusCode())
                .as("the code was given to nobody by all that")
                .isEqualTo(303);
        isRefused(at.back(attackers, right), 403, "SIGNIN_REFUSED");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "&code=",
                "&code=a&code=b",
                "&code=a&a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9&j=1&k=2&l=3&m=4&n=5&o=6"
            })
    void anAnswerWithoutOneGoodCodeIsRefused(String query) throws Exception {
        TrialSignIns.Begun begun = at.begin();
        HttpResponse<String> answer = at.back(begun, "state=" + begun.query().get("state") + query);
        isRefused(answer, 400, query.length() < 7 ? "SIGNIN_CODE" : "SIGNIN_QUERY");
        isRefused(
                at.back(begun, "state=" + begun.query().get("state") + "&code=" + "x".repeat(2049)),
                400,
                "SIGNIN_CODE");
    }

    @Test
    void whatTheIssuerRefusesIsTold() throws Exception {
        TrialSignIns.Begun begun = at.begin();
        String state = "state=" + begun.query().get("state");
        HttpResponse<String> denied = at.back(begun, state + "&error=access_denied&error_description=%3Cb%3E");
        isRefused(denied, 403, "SIGNIN_REFUSED");
        assertThat(denied.body()).contains("access_denied").doesNotContain("<b>");
        isRefused(at.back(begun, state + "&error=%3Cscript%3E"), 403, "SIGNIN_REFUSED");
        isRefused(at.back(begun, state + "&code=x&iss=https://evil.example.org"), 403, "SIGNIN_ISSUER");
        isRefused(at.back(begun, state + "&code=unknown"), 403, "SIGNIN_REFUSED");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonce",
                "no nonce",
                "audience",
                "second audience",
                "party",
                "issuer",
                "expired",
                "future",
                "signature",
                "none",
                "key",
                "subject",
                "nonsense"
            })
    @SuppressWarnings("JavaUtilDate") // what the library takes
    void anIdTokenThatIsNotGoodIsRefused(String what) throws Exception {
        TestTokens others = new TestTokens(at.issuer);
        switch (what) {
            case "nonce" -> at.claims = made -> made.claim("nonce", "another");
            case "no nonce" -> at.claims = made -> made.claim("nonce", null);
            case "audience" -> at.claims = made -> made.audience("gate");
            case "second audience" -> at.claims = made -> made.audience(List.of("the gate", "another"));
            case "party" -> at.claims = made -> made.claim("azp", "another");
            case "issuer" -> at.claims = made -> made.issuer("https://evil.example.org");
            case "expired" ->
                at.claims = made -> made.expirationTime(Date.from(Instant.now().minusSeconds(120)));
            case "future" ->
                at.claims = made -> made.notBeforeTime(Date.from(Instant.now().plusSeconds(600)));
            case "subject" -> at.claims = made -> made.subject(null);
            case "signature" ->
                at.idToken = made ->
                        made.substring(0, made.lastIndexOf('.') - 1) + "A" + made.substring(made.lastIndexOf('.'));
            case "none" ->
                at.idToken = made ->
                        new PlainJWT(at.tokens.plain().audience("the gate").build()).serialize();
            case "key" ->
                at.idToken = made -> TestTokens.sign(
                        new JWSHeader.Builder(JWSAlgorithm.RS256)
                                .jwk(others.rsa.toPublicJWK())
                                .build(),
                        others.plain().audience("the gate").build(),
                        others.rsa);
            default -> at.idToken = made -> "nonsense";
        }
        isRefused(signIn(), 403, "SIGNIN_TOKEN");
        at.claims = made -> made;
        at.idToken = made -> made;
        assertThat(signIn().statusCode()).as("the same without the fault").isEqualTo(303);
    }

    @Test
    void anIssuerThatAnswersNonsenseSignsNobodyIn() throws Exception {
        for (TrialSignIns.Answer answer : List.of(
                new TrialSignIns.Answer(500, "{}"),
                new TrialSignIns.Answer(302, "{}"),
                new TrialSignIns.Answer(200, "<html>"),
                new TrialSignIns.Answer(200, ""),
                new TrialSignIns.Answer(200, "[]"),
                new TrialSignIns.Answer(200, "{\"id_token\": 7}"),
                new TrialSignIns.Answer(200, "{\"id_token\": \"" + "x".repeat(300_000) + "\"}"))) {
            at.answer = answer;
            isRefused(signIn(), 503, "SIGNIN_UNAVAILABLE");
        }
        at.answer = new TrialSignIns.Answer(400, "{\"error\": \"<b>invalid_client\"}");
        HttpResponse<String> refused = signIn();
        isRefused(refused, 403, "SIGNIN_REFUSED");
        assertThat(refused.body()).contains("?b?invalid_client");
        at.answer = new TrialSignIns.Answer(200, "{\"scope\": \"openid email\", \"id_token\": \"x\"}");
        isRefused(signIn(), 403, "SIGNIN_SCOPE");
    }

    @Test
    void anIssuerThatSaysNoGoodPlacesIsNotGoneTo() throws Exception {
        for (String[] change : new String[][] {
            {"\"issuer\":\"", "\"issuer\":\"https://evil.example.org/"},
            {at.issuer + "/auth", "http://localhost/auth"},
            {at.issuer + "/token", "http://localhost/token"},
            {"\"plain\",\"S256\"", "\"plain\""},
            {"{", "<"}
        }) {
            at.metadata = made -> made.replace(change[0], change[1]);
            isRefused(at.send("GET", "/console/signin"), 503, "SIGNIN_UNAVAILABLE");
            Thread.sleep(150); // so long nobody asks it again
        }
        at.metadata = made -> made;
        assertThat(signIn().statusCode()).isEqualTo(303);
    }

    @Test
    void aSecretThatOthersMayReadByNowIsNotUsed() throws Exception {
        Path secret = folder.resolve("secret");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        isRefused(signIn(), 503, "SIGNIN_UNAVAILABLE");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        assertThat(signIn().statusCode()).isEqualTo(303);
    }

    @Test
    void whileAnIssuerIsSlowOneAddressTakesNoMoreThanItsPlaces() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        at.mayAnswer = mayAnswer;
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            Future<HttpResponse<String>> slow = other.submit(this::signIn);
            assertThat(at.asked.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
            HttpResponse<String> busy = at.send("GET", "/console/signin");
            isRefused(busy, 503, "SIGNIN_BUSY");
            assertThat(busy.body()).contains("signIn.maxAtOncePerAddress = 1");
            mayAnswer.countDown();
            assertThat(slow.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(303);
        }
        assertThat(at.send("GET", "/console/signin").statusCode()).isEqualTo(303);
    }

    @Test
    void anIssuerThatDoesNotAnswerIsNotWaitedForLonger() throws Exception {
        at.close();
        at = TrialSignIns.start(Files.createDirectory(folder.resolve("hasty")), SETTINGS, null, Duration.ofSeconds(2));
        // what the issuer tells of itself may not come within that time, either; it is kept
        await().atMost(PATIENCE)
                .ignoreException(IllegalStateException.class)
                .until(() -> !at.begin().cookie().isEmpty());
        CountDownLatch mayAnswer = new CountDownLatch(1);
        at.mayAnswer = mayAnswer;
        isRefused(signIn(), 503, "SIGNIN_UNAVAILABLE");
        mayAnswer.countDown();
        at.drips = true;
        long began = System.nanoTime();
        isRefused(signIn(), 503, "SIGNIN_UNAVAILABLE");
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .as("of an answer that would take ten minutes")
                .isLessThan(Duration.ofMinutes(4));
        at.drips = false;
        await().atMost(PATIENCE).until(() -> signIn().statusCode() == 303);
    }

    @Test
    void anAddressThatBringsWrongCodesAgainAndAgainWaitsAndTheIssuerIsLeftAlone() throws Exception {
        TrialSignIns.Begun begun = at.begin();
        String state = "state=" + begun.query().get("state");
        for (int i = 0; i < 10; i++) {
            isRefused(at.back(begun, state + "&code=guess" + i), 403, "SIGNIN_REFUSED");
        }
        at.asked.drainPermits();
        HttpResponse<String> paced = at.back(begun, state + "&code=" + at.code(begun));
        isRefused(paced, 429, "SIGNIN_FAILED_OFTEN");
        assertThat(paced.body()).contains("Sign in again in ");
        assertThat(at.asked.tryAcquire()).as("the issuer was asked").isFalse();
    }

    @Test
    void otherMethodsAreNotTaken() throws Exception {
        for (String path : List.of("/console/signin", "/console/callback", "/console/session")) {
            HttpResponse<String> answer = at.send("POST", path);
            assertThat(answer.statusCode()).as(path).isEqualTo(405);
            assertThat(TrialSignIns.header(answer, "Allow")).isEqualTo("GET");
        }
    }
}
