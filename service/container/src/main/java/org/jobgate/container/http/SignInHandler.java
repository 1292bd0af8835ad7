// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.jobgate.container.signin.Session;
import org.jobgate.container.signin.SignIn;
import org.jobgate.container.signin.SignInException;
import org.jobgate.door.DoorAddresses;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where browsers sign in and out, beside the console's files: {@code /console/signin} sends them to the issuer, {@code /console/callback} is where the
 * issuer sends them back, {@code /console/session} tells a page who is signed in, {@code /console/signout} ends that. Nothing that comes with a
 * request says where a browser is sent: to the issuer's page, and then to the console.
 */
final class SignInHandler extends Handler.Wrapper {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String PAGES =
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final String CALLBACK = "/console/callback";
    private static final int HTTPS = 443;

    /** OAuth and its extensions name fewer; more is not looked at. */
    private static final int MOST_PARAMETERS = 16;

    private final @Nullable SignIn signIn;
    private final String publicName;

    /**
     * @param signIn absent where nobody can sign in
     * @param publicName by which browsers reach this machine
     */
    SignInHandler(@Nullable SignIn signIn, String publicName, Handler next) {
        super(requireNonNull(next, "next is null"));
        this.signIn = signIn;
        this.publicName = requireNonNull(publicName, "publicName is null");
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = Request.getPathInContext(request);
        Mounts.Place place = Mounts.of(request).at(path);
        if (place == null || !place.door().equals(DoorAddresses.CONSOLE)) {
            return super.handle(request, response, callback);
        }
        if (path.equals("/console/session") && request.getMethod().equals("GET")) {
            tell(request, response, callback);
            return true;
        }
        SignIn used = signIn;
        if (used == null) {
            return super.handle(request, response, callback);
        }
        switch (path) {
            case "/console/signin", CALLBACK, "/console/session" -> {
                if (!request.getMethod().equals("GET")) {
                    wrongMethod("GET", path).answer(request, allowing(response, "GET"), callback);
                } else {
                    browse(used, path, request, response, callback);
                }
            }
            case "/console/signout" -> {
                if (!request.getMethod().equals("POST")) {
                    wrongMethod("POST", path).answer(request, allowing(response, "POST"), callback);
                } else {
                    signOut(used, request, response, callback);
                }
            }
            default -> {
                return super.handle(request, response, callback);
            }
        }
        return true;
    }

    private static Response allowing(Response response, String method) {
        response.getHeaders().put(HttpHeader.ALLOW, method);
        return response;
    }

    private static Refusal wrongMethod(String right, String path) {
        return new Refusal(405, "METHOD_NOT_ALLOWED", path + " takes " + right + " only.", "Use " + right + ".", null);
    }

    private void browse(SignIn used, String path, Request request, Response response, Callback callback) {
        try {
            if (path.equals(CALLBACK)) {
                end(used, request, response);
            } else {
                begin(used, request, response);
            }
        } catch (SignInException e) {
            SignInCookies.forget(response, SignInCookies.BEGUN);
            page(e.status(), e.code(), String.valueOf(e.getMessage()), e.remedy(), response, callback);
            return;
        } catch (IllegalArgumentException e) {
            page(400, "SIGNIN_QUERY", String.valueOf(e.getMessage()), "Sign in from the console.", response, callback);
            return;
        }
        response.setStatus(303);
        Content.Sink.write(response, true, "", callback);
    }

    private void begin(SignIn used, Request request, Response response) throws SignInException {
        String query = request.getHttpURI().getQuery();
        if (query != null && !query.isEmpty()) {
            throw new IllegalArgumentException(
                    "The page for signing in takes no parameters: it leads to the issuer and back to the console, and nowhere else.");
        }
        // the session's cookie comes with this request from the console, but not with the one that the issuer's page
        // sends here at the end
        SignIn.Begun begun = used.begin(
                Request.getRemoteAddr(request), here(request), SignInCookies.of(request, SignInCookies.SESSION));
        SignInCookies.begun(response, begun.cookie(), SignIn.patience());
        response.getHeaders().put(HttpHeader.LOCATION, begun.page().toString());
    }

    private void end(SignIn used, Request request, Response response) throws SignInException {
        String session = used.end(
                Request.getRemoteAddr(request),
                SignInCookies.of(request, SignInCookies.BEGUN),
                parameters(request.getHttpURI().getQuery()),
                here(request));
        // an issuer of the same site has the session's cookie sent: one that was there, whoever's it is, is shared with
        // nobody
        Optional.ofNullable(SignInCookies.of(request, SignInCookies.SESSION)).ifPresent(used.sessions()::end);
        SignInCookies.forget(response, SignInCookies.BEGUN);
        SignInCookies.session(response, session);
        response.getHeaders().put(HttpHeader.LOCATION, "/console/");
    }

    /** By the name of the configuration and the port that was reached: what a client calls this host is no matter. */
    private String here(Request request) {
        int port = ((ServerConnector) request.getConnectionMetaData().getConnector()).getLocalPort();
        return "https://" + publicName + (port == HTTPS ? "" : ":" + port) + CALLBACK;
    }

    /** Each name once. */
    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (query == null) {
            return parameters;
        }
        String[] pairs = query.split("&", MOST_PARAMETERS + 1);
        if (pairs.length > MOST_PARAMETERS) {
            throw new IllegalArgumentException(
                    "The answer of the issuer has more than " + MOST_PARAMETERS + " parameters.");
        }
        for (String pair : pairs) {
            String[] parts = pair.split("=", 2);
            String value = parts.length < 2 ? "" : decoded(parts[1]);
            if (parameters.putIfAbsent(decoded(parts[0]), value) != null) {
                throw new IllegalArgumentException("The answer of the issuer has a parameter twice.");
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // what the decoder says quotes the text
            throw new IllegalArgumentException("The answer of the issuer is not encoded as addresses are.", e);
        }
    }

    /** Who is signed in, with what a page must send along: only a page of this gateway can read it. */
    private void tell(Request request, Response response, Callback callback) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("offered", signIn != null);
        session(request).ifPresent(session -> {
            told.put("subject", session.identity().subject());
            told.put("until", session.until().toString());
            told.put("csrf", session.csrf());
        });
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        Content.Sink.write(response, true, JSON.writeValueAsString(told), callback);
    }

    private Optional<Session> session(Request request) {
        String cookie = SignInCookies.of(request, SignInCookies.SESSION);
        return signIn == null || cookie == null
                ? Optional.empty()
                : signIn.sessions().use(cookie);
    }

    private void signOut(SignIn used, Request request, Response response, Callback callback) {
        try {
            Optional<Session> session = session(request);
            if (session.isPresent()) {
                SignedInCallers.check(request, session.get());
                used.sessions().end(String.valueOf(SignInCookies.of(request, SignInCookies.SESSION)));
            }
        } catch (SignedInCallers.RefusedException e) {
            e.write(request, response, callback);
            return;
        }
        SignInCookies.forget(response, SignInCookies.SESSION);
        response.setStatus(204);
        Content.Sink.write(response, true, "", callback);
    }

    private static void page(
            int status, String code, String sentence, String remedy, Response response, Callback callback) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/html; charset=utf-8");
        response.getHeaders().put("Content-Security-Policy", PAGES);
        Content.Sink.write(
                response,
                true,
                """
                        <!doctype html>
                        <html lang="en">
                        <meta charset="utf-8">
                        <meta name="viewport" content="width=device-width, initial-scale=1">
                        <meta name="color-scheme" content="light dark">
                        <title>Not signed in</title>
                        <h1>You are not signed in</h1>
                        <p>%s
                        <p>%s
                        <p><code>%s</code>
                        <p><a href="/console/">The console</a>
                        </html>
                        """.formatted(LandingPage.text(sentence), LandingPage.text(remedy), LandingPage.text(code)),
                callback);
    }
}
