// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.tls.TestPki;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Browsers sign in by an issuer, act in their sessions, and sign out. */
class SignInTest {

    private static final TestPki.Credential ALICE = TrialSignIns.PKI.issue("CN=Alice,O=Grid");
    private static final String WHO = "/api/v1/who";
    private static final String SESSION = "/console/session";

    @TempDir
    Path folder = Path.of("");

    private @Nullable TrialSignIns room;

    private TrialSignIns start(String settings, TestPki.@Nullable Credential user) throws Exception {
        TrialSignIns made = TrialSignIns.start(folder, settings, user);
        room = made;
        return made;
    }

    @AfterEach
    void stop() throws Exception {
        if (room != null) {
            room.close();
        }
    }

    private static String csrf(TrialSignIns at, String session) throws Exception {
        Matcher found = Pattern.compile("\"csrf\":\"([^\"]+)\"")
                .matcher(at.sendIn(session, "GET", SESSION).body());
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    @Test
    void aUserSignsInAndIsWhoATokenOfTheIssuerWouldSay() throws Exception {
        TrialSignIns at = start("", null);
        assertThat(at.send("GET", SESSION).body()).isEqualTo("{\"offered\":true}");
        TrialSignIns.Begun begun = at.begin();
        assertThat(begun.query())
                .containsEntry("response_type", "code")
                .containsEntry("client_id", "the gate")
                .containsEntry("scope", "openid")
                .containsEntry("code_challenge_method", "S256")
                .containsEntry(
                        "redirect_uri", "https://localhost:" + at.gate.ports().getFirst() + "/console/callback");
        HttpResponse<String> answer = at.back(
                begun, "code=" + at.code(begun) + "&state=" + begun.query().get("state") + "&iss=" + at.issuer);
        assertThat(at.wrong).isEmpty();
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        assertThat(TrialSignIns.header(answer, "Location")).isEqualTo("/console/");
        assertThat(TrialSignIns.header(answer, "Cache-Control")).contains("no-store");
        assertThat(TrialSignIns.setCookie(answer, SignInCookies.SESSION))
                .matches("__Host-jobgate-session=[A-Za-z0-9_-]{43}; Path=/; Secure; HttpOnly; SameSite=Strict");
        assertThat(TrialSignIns.setCookie(answer, SignInCookies.BEGUN)).contains("Max-Age=0");
        String session = TrialSignIns.cookie(answer, SignInCookies.SESSION);
        assertThat(at.sendIn(session, "GET", WHO).body())
                .contains("subject=" + at.issuer + ",alice", "method=oidc", "scopes=[]", "issuer=" + at.issuer);
        assertThat(at.sendIn(session, "GET", SESSION).body())
                .contains("\"subject\":\"" + at.issuer + ",alice\"", "\"until\":");
    }

    @Test
    void theCookieCountsAtTheDoorsOfTheConsoleAlone() throws Exception {
        TrialSignIns at = start("", null);
        String session = at.signIn();
        HttpResponse<String> soap = at.sendIn(session, "POST", TrialGate.WHO, "Content-Type", "text/xml");
        assertThat(soap.body()).doesNotContain("alice");
        assertThat(at.sendIn(session, "GET", "/console/kit.js").body()).isEqualTo("/console null");
        assertThat(at.sendIn(session, "GET", "/metrics").statusCode()).isEqualTo(403);
    }

    @Test
    void whatChangesSomethingMustComeFromAPageOfOurs() throws Exception {
        TrialSignIns at = start("", null);
        String session = at.signIn();
        String other = at.signIn();
        String csrf = csrf(at, session);
        assertThat(at.sendIn(session, "POST", WHO).statusCode()).isEqualTo(403);
        HttpResponse<String> wrong = at.sendIn(session, "POST", WHO, SignedInCallers.CSRF, csrf(at, other));
        assertThat(wrong.statusCode()).isEqualTo(403);
        assertThat(wrong.body()).contains("\"code\":\"CSRF\"").doesNotContain(csrf);
        assertThat(TrialSignIns.header(wrong, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(at.sendIn(session, "POST", WHO, SignedInCallers.CSRF, csrf).body())
                .contains("alice");
        assertThat(at.sendIn(session, "POST", WHO, SignedInCallers.CSRF, csrf, "Sec-Fetch-Site", "cross-site")
                        .body())
                .contains("OTHER_SITE");
    }

    @Test
    void whoSignsOutIsNobodyAnyMore() throws Exception {
        TrialSignIns at = start("", ALICE);
        String session = at.signIn();
        assertThat(at.sendIn(session, "POST", "/console/signout").statusCode()).isEqualTo(403);
        assertThat(at.sendIn(session, "GET", "/console/signout").statusCode()).isEqualTo(405);
        assertThat(at.sendIn(session, "GET", WHO).body()).contains(",alice");
        HttpResponse<String> out =
                at.sendIn(session, "POST", "/console/signout", SignedInCallers.CSRF, csrf(at, session));
        assertThat(out.statusCode()).isEqualTo(204);
        assertThat(TrialSignIns.setCookie(out, SignInCookies.SESSION)).contains("Max-Age=0");

        HttpResponse<String> over = at.sendIn(session, "GET", WHO);
        assertThat(over.statusCode())
                .as("not answered in the name of the certificate that the browser has too")
                .isEqualTo(401);
        assertThat(over.body()).contains("SESSION_OVER");
        assertThat(TrialSignIns.setCookie(over, SignInCookies.SESSION)).contains("Max-Age=0");
        assertThat(at.send("GET", WHO).body()).contains("subject=/O=Grid/CN=Alice");
        assertThat(at.sendIn(session, "GET", SESSION).body()).isEqualTo("{\"offered\":true}");
        assertThat(at.sendIn(session, "GET", "/console/").statusCode())
                .as("the page itself is there for everybody")
                .isEqualTo(200);
        assertThat(at.sendIn(session, "POST", "/console/signout").statusCode()).isEqualTo(204);
    }

    @Test
    void aSessionThatSomebodyPutThereIsNotTheUsersAfterTheSignIn() throws Exception {
        TrialSignIns at = start("", null);
        String planted = "planted-by-somebody-who-knows-it-0123456789ab";
        String before = at.signIn();
        for (String there : new String[] {planted, before}) {
            TrialSignIns.Begun begun = at.begin();
            HttpResponse<String> answer = at.back(
                    begun,
                    "code=" + at.code(begun) + "&state=" + begun.query().get("state"),
                    "Cookie",
                    SignInCookies.BEGUN + "=" + begun.cookie() + "; " + SignInCookies.SESSION + "=" + there);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
            assertThat(TrialSignIns.cookie(answer, SignInCookies.SESSION)).isNotEqualTo(there);
            assertThat(at.sendIn(there, "GET", WHO).statusCode()).isEqualTo(401);
        }
        String session = at.signIn();
        assertThat(at.send(
                                "GET",
                                WHO,
                                "Cookie",
                                SignInCookies.SESSION + "=" + planted + "; " + SignInCookies.SESSION + "=" + session)
                        .statusCode())
                .as("of two cookies none is believed")
                .isEqualTo(401);
    }

    /** The browser sends the cookie of the session when the console begins the sign-in, and not when the issuer's page sends it back. */
    @Test
    void theSessionThatABrowserHadEndsWhenItSignsInAnew() throws Exception {
        TrialSignIns at = start("", null);
        String before = at.signIn();
        TrialSignIns.Begun begun = at.beginIn(before);
        assertThat(at.sendIn(before, "GET", WHO).statusCode())
                .as("a sign-in that was only begun")
                .isEqualTo(200);

        String after = at.end(begun);

        assertThat(at.sendIn(before, "GET", WHO).statusCode()).isEqualTo(401);
        assertThat(at.sendIn(after, "GET", WHO).statusCode()).isEqualTo(200);
    }

    @Test
    void aSessionMayDoWhatTheGrantedScopesAllowWhereTheSiteAsksForSome() throws Exception {
        TrialSignIns at = start(", scopes: [ email, compute.read, compute.create ]", null);
        assertThat(at.begin().query()).containsEntry("scope", "openid email compute.read compute.create");
        assertThat(at.sendIn(at.signIn(), "GET", WHO).body()).contains("scopes=[compute.read]");
    }

    @Test
    void oneSubjectsSessionsAreBoundedByEndingTheOldest() throws Exception {
        TrialSignIns at = start(", maxSessionsPerSubject: 2, maxSessions: 3", null);
        String first = at.signIn();
        Thread.sleep(2); // the order is by the time
        String second = at.signIn();
        Thread.sleep(2);
        String third = at.signIn();
        assertThat(at.sendIn(first, "GET", WHO).statusCode()).isEqualTo(401);
        assertThat(at.sendIn(second, "GET", WHO).statusCode()).isEqualTo(200);
        assertThat(at.sendIn(third, "GET", WHO).statusCode()).isEqualTo(200);
        at.claims = made -> made.subject("bob");
        String bob = at.signIn();
        assertThat(at.sendIn(bob, "GET", WHO).body()).contains(",bob");
        at.claims = made -> made.subject("carol");
        TrialSignIns.Begun begun = at.begin();
        HttpResponse<String> full = at.back(
                begun, "code=" + at.code(begun) + "&state=" + begun.query().get("state"));
        assertThat(full.statusCode()).isEqualTo(503);
        assertThat(full.body()).contains("SESSIONS_FULL", "signIn.maxSessions = 3");
        assertThat(at.sendIn(bob, "GET", WHO).statusCode()).isEqualTo(200);
    }

    @Test
    void aBearerTokenGoesBeforeTheCookie() throws Exception {
        TrialSignIns at = start("", null);
        assertThat(at.sendIn(at.signIn(), "GET", WHO, "Authorization", "Bearer nonsense")
                        .body())
                .contains("TOKEN_NOT_TAKEN");
    }

    @Test
    void aSecretThatOthersMayReadStopsTheStart() throws Exception {
        start("", null);
        Files.setPosixFilePermissions(folder.resolve("secret"), PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> TrialGate.start(folder, TrialSignIns.PKI.issue("CN=localhost,O=Grid"), """
                        signIn: { issuer: "https://localhost/x", clientId: gate, clientSecretFile: secret }
                        """))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("chmod 600")
                .hasMessageNotContaining(TrialSignIns.SECRET);
    }

    @Test
    void whereNoIssuerIsNamedNobodyIsOfferedToSignIn() throws Exception {
        TrialSignIns at = start("", null);
        Path other = Files.createDirectory(folder.resolve("other"));
        TrialSignIns.PKI.trustIn(other.resolve("trust"));
        try (TrialGate gate = TrialGate.start(
                other, TrialSignIns.PKI.issue("CN=localhost,O=Grid"), "", TrialSignIns.door("console", "/console"))) {
            String url = "https://localhost:" + gate.ports().getFirst();
            assertThat(TrialSignIns.ask(at.client, url + SESSION).body()).isEqualTo("{\"offered\":false}");
            assertThat(TrialSignIns.ask(at.client, url + "/console/signin").body())
                    .as("what the console answers to a file that it has not")
                    .isEqualTo("/console null");
        }
    }
}
