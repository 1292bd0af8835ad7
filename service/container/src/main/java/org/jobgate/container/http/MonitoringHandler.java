// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jobgate.container.config.MonitoringConfig;
import org.jobgate.container.health.Health;
import org.jobgate.container.metrics.Metrics;
import org.jobgate.identity.Identity;
import tools.jackson.databind.json.JsonMapper;

/** Answers {@code /health} and {@code /metrics}, to those who may see them. */
final class MonitoringHandler extends Handler.Wrapper {

    private final JsonMapper json = new JsonMapper();
    private final Health health;
    private final Metrics metrics;
    private final MonitoringConfig.Access access;

    MonitoringHandler(Health health, Metrics metrics, MonitoringConfig config, Handler next) {
        super(requireNonNull(next, "next is null"));
        this.health = requireNonNull(health, "health is null");
        this.metrics = requireNonNull(metrics, "metrics is null");
        this.access = config.access();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = Request.getPathInContext(request);
        if (!path.equals("/health") && !path.equals("/metrics")) {
            return super.handle(request, response, callback);
        }
        if (!mayAsk(request)) {
            refusal().answer(request, response, callback);
        } else if (!request.getMethod().equals("GET")) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET");
            new Refusal(405, "METHOD_NOT_ALLOWED", path + " can only be read.", "Use GET.", null)
                    .answer(request, response, callback);
        } else if (path.equals("/health")) {
            Health.Report report = health.report();
            answer(
                    response,
                    callback,
                    report.status() == Health.Status.WELL ? 200 : 503,
                    "application/json",
                    json.writeValueAsString(report.asMap()));
        } else {
            answer(response, callback, 200, Metrics.CONTENT_TYPE, metrics.scrape());
        }
        return true;
    }

    /** The address of a connection proves nothing: a user who makes the gateway itself connect comes from this machine too. */
    private boolean mayAsk(Request request) {
        return access == MonitoringConfig.Access.OPEN || request.getAttribute(Identity.REQUEST_ATTRIBUTE) != null;
    }

    private static Refusal refusal() {
        return new Refusal(
                403,
                "NOT_AUTHORIZED",
                "How this service is doing is shown to callers with a certificate or token that is let in.",
                "Connect with a certificate or a token, or ask the site to set monitoring.access to open. On the machine itself: jobgate status.",
                null);
    }

    private static void answer(Response response, Callback callback, int status, String type, String body) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        Content.Sink.write(response, true, body, callback);
    }
}
