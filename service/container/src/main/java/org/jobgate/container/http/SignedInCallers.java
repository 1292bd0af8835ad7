// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.util.Set;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jobgate.container.signin.Session;
import org.jobgate.container.signin.SignIn;
import org.jobgate.door.DoorAddresses;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/**
 * Who a browser's user is by the session that its cookie names. It counts only at the doors that the console asks, and what changes something must
 * bring what only a page of this gateway can have read, so that no page of another site acts in the user's name.
 */
final class SignedInCallers {

    /** With which a page shows that it is one of ours. */
    static final String CSRF = "X-Jobgate-CSRF";

    private static final Set<String> DOORS = Set.of(DoorAddresses.REST, DoorAddresses.FILES);
    private static final Set<String> HARMLESS = Set.of("GET", "HEAD", "OPTIONS");

    private final @Nullable SignIn signIn;

    /** @param signIn absent where nobody can sign in */
    SignedInCallers(@Nullable SignIn signIn) {
        this.signIn = signIn;
    }

    /** A request comes with a session that does not let it pass; the answer is the caller's to have. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Refusal refusal;
        private final boolean isOver;

        private RefusedException(Refusal refusal, boolean isOver) {
            super(refusal.sentence());
            this.refusal = refusal;
            this.isOver = isOver;
        }

        void write(Request request, Response response, Callback callback) {
            if (isOver) {
                SignInCookies.forget(response, SignInCookies.SESSION);
            }
            refusal.write(request, response, callback);
        }
    }

    /**
     * Who is signed in; null where the request has no session, or asks a door that takes none.
     *
     * @param place that answers at the path, if anything
     * @throws RefusedException its session is over, or it does not show that a page of ours sent it. It is not answered as if it had none: the
     *     browser's certificate may be somebody else's
     */
    @Nullable
    Identity of(Request request, Mounts.@Nullable Place place) throws RefusedException {
        if (signIn == null || place == null || !DOORS.contains(place.door())) {
            return null;
        }
        String cookie = SignInCookies.of(request, SignInCookies.SESSION);
        if (cookie == null) {
            return null;
        }
        Session session = signIn.sessions().use(cookie).orElseThrow(SignedInCallers::over);
        check(request, session);
        return session.identity();
    }

    /**
     * Sees to it that a page of this gateway sent what changes something.
     *
     * @throws RefusedException it does not show that
     */
    static void check(Request request, Session session) throws RefusedException {
        if (!HARMLESS.contains(request.getMethod())
                && !session.isCsrf(request.getHeaders().get(CSRF))) {
            throw new RefusedException(
                    new Refusal(
                            403,
                            "CSRF",
                            "The request comes with the cookie of a session, and does not show that a page of this gateway sent it.",
                            "Load the page again. Programs use a certificate or a token, and no cookie.",
                            null),
                    false);
        }
    }

    private static RefusedException over() {
        return new RefusedException(
                new Refusal(
                        401,
                        "SESSION_OVER",
                        "You are not signed in any more: the session has ended, or the gateway was started again.",
                        "Sign in again.",
                        null),
                true);
    }
}
