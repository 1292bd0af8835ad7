// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** The front of a storage system: it has no files, and says where they are. */
final class FrontServer implements AutoCloseable {

    private final Server server = new Server();
    private final ServerConnector connector;
    /** Where each path is. */
    final Map<String, String> places = new ConcurrentHashMap<>();
    /** The Authorization of each request, or "none". */
    final List<String> authorizations = new CopyOnWriteArrayList<>();

    volatile int status = 307;
    volatile boolean takesFilesFirst;

    FrontServer(SSLContext serverSide) throws Exception {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setSslContext(serverSide);
        connector = new ServerConnector(server, tls, new HttpConnectionFactory(new HttpConfiguration()));
        connector.setHost("localhost");
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                String authorization = request.getHeaders().get("Authorization");
                authorizations.add(authorization == null ? "none" : authorization);
                if (takesFilesFirst) {
                    Content.Source.consumeAll(request);
                }
                response.setStatus(status);
                String place = places.get(request.getHttpURI().getPath());
                if (place != null) {
                    response.getHeaders().put("Location", place);
                }
                callback.succeeded();
                return true;
            }
        });
        server.start();
    }

    URI url(String path) {
        return URI.create("https://localhost:" + connector.getLocalPort() + path);
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
