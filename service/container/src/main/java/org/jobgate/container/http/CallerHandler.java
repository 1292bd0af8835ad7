// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.security.cert.CertificateException;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/**
 * Leaves the caller's identity in the request: that of its bearer token if it has one, else that of the session in which its browser has signed in,
 * else that of the certificates of its TLS session. They are never mixed.
 */
final class CallerHandler extends Handler.Wrapper {

    private final CertificateCallers callers;
    private final BearerTokens tokens;
    private final SignedInCallers signedIn;

    CallerHandler(CertificateCallers callers, BearerTokens tokens, SignedInCallers signedIn, Handler next) {
        super(requireNonNull(next, "next is null"));
        this.callers = requireNonNull(callers, "callers is null");
        this.tokens = requireNonNull(tokens, "tokens is null");
        this.signedIn = requireNonNull(signedIn, "signedIn is null");
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        // an identity is only ever set here, whatever came with the request
        request.removeAttribute(Identity.REQUEST_ATTRIBUTE);
        request.removeAttribute(Identity.DELEGATED_ATTRIBUTE);
        PortRules port = PortRules.of(request);
        String path = Request.getPathInContext(request);
        Mounts.Place place = Mounts.of(request).at(path);
        if (!port.serves(path, place)) {
            notHere(port, place).answer(request, response, callback);
            return true;
        }
        try {
            Identity identity = tokens.identity(request, port);
            if (identity == null) {
                identity = signedIn.of(request, place);
            }
            if (identity == null) {
                identity = callers.of(
                        request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                                        instanceof EndPoint.SslSessionData session
                                ? session
                                : null,
                        port);
                if (request.getConnectionMetaData().getAttribute(Identity.DELEGATED_ATTRIBUTE)
                        instanceof String delegated) {
                    request.setAttribute(Identity.DELEGATED_ATTRIBUTE, delegated);
                }
            }
            if (identity != null) {
                request.setAttribute(Identity.REQUEST_ATTRIBUTE, identity);
            }
        } catch (BearerTokens.RefusedException e) {
            e.write(request, response, callback);
            return true;
        } catch (SignedInCallers.RefusedException e) {
            e.write(request, response, callback);
            return true;
        } catch (CertificateException e) {
            refusal(e).write(request, response, callback);
            return true;
        }
        return super.handle(request, response, callback);
    }

    private static Refusal notHere(PortRules port, Mounts.@Nullable Place place) {
        return new Refusal(404, "NOT_HERE", port.notHere(place), "Use another port of this service.", null);
    }

    private static Refusal refusal(CertificateException e) {
        return new Refusal(
                401,
                "CREDENTIAL_UNUSABLE",
                "The certificate of this connection is not good any more: " + e.getMessage() + ".",
                "Connect again with a valid one.",
                null);
    }
}
