// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Attributes;
import org.eclipse.jetty.util.Callback;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes connections that are https or httpg, the HTTP of the Globus toolkit's security (GSI): the client of httpg sends one byte when the
 * TLS handshake is done, before its first request. {@code 0} says that no credential is delegated; it is left out. {@code D} has one
 * delegated first ({@link HttpgDelegations}). No method of HTTP begins with {@code 0}; one that begins with {@code D} comes with further
 * letters, while the client that wants to delegate waits for an answer to its one byte.
 */
final class HttpgConnections extends HttpConnectionFactory {

    private static final Logger LOG = LoggerFactory.getLogger(HttpgConnections.class);

    private final HttpgDelegations delegations;
    private final PortRules port;

    HttpgConnections(HttpConfiguration configuration, HttpgDelegations delegations, PortRules port) {
        super(configuration);
        this.delegations = requireNonNull(delegations, "delegations is null");
        this.port = requireNonNull(port, "port is null");
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        HttpConnection made = new Httpg(getHttpConfiguration(), connector, endPoint);
        made.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
        return configure(made, connector, endPoint);
    }

    private final class Httpg extends HttpConnection {

        /** Set by the constructor of the class above: they must not have values of their own here. */
        private @Nullable RequestHandler handler;

        private @Nullable FirstBytes first;

        Httpg(HttpConfiguration configuration, Connector connector, EndPoint endPoint) {
            super(configuration, connector, endPoint);
        }

        @Override
        protected RequestHandler newRequestHandler() {
            RequestHandler made = super.newRequestHandler();
            handler = made;
            return made;
        }

        /** Called by the constructor of the class above. */
        @Override
        protected HttpParser newHttpParser(HttpCompliance compliance) {
            HttpConfiguration configuration = getHttpConfiguration();
            FirstBytes parser = new FirstBytes(
                    requireNonNull(handler), configuration.getRequestHeaderSize(), compliance, getEndPoint(), this);
            parser.setHeaderCacheSize(configuration.getHeaderCacheSize());
            parser.setHeaderCacheCaseSensitive(configuration.isHeaderCacheCaseSensitive());
            first = parser;
            return parser;
        }

        @Override
        public void onClose(@Nullable Throwable cause) {
            if (first != null) {
                first.end();
            }
            super.onClose(cause);
        }
    }

    /** Reads requests, and before the first of them the byte of httpg, if it is there, and what follows it. */
    private final class FirstBytes extends HttpParser {

        private static final byte NO_DELEGATION = '0';
        private static final byte DELEGATION = 'D';

        private final EndPoint endPoint;

        /** Is told what was delegated, for its requests. */
        private final Attributes connection;

        private boolean isBegun;

        /** What comes of a certificate; absent where none is awaited. */
        private @Nullable DerMessage certificate;

        /** Ended by the thread that closes the connection, too. */
        private volatile HttpgDelegations.@Nullable Exchange exchange;

        FirstBytes(
                HttpParser.RequestHandler handler,
                int maxHeaderBytes,
                HttpCompliance compliance,
                EndPoint endPoint,
                Attributes connection) {
            super(handler, maxHeaderBytes, compliance);
            this.endPoint = endPoint;
            this.connection = connection;
        }

        @Override
        public boolean parseNext(ByteBuffer buffer) {
            try {
                if (!isBegun && buffer.hasRemaining()) {
                    isBegun = true;
                    begin(buffer);
                }
                if (certificate != null && buffer.hasRemaining()) {
                    take(buffer, certificate);
                }
            } catch (HttpgDelegations.RefusedException e) {
                LOG.debug("A credential is not delegated by httpg from {}", endPoint.getRemoteSocketAddress(), e);
                buffer.position(buffer.limit());
                certificate = null;
                end();
                badMessage(new HttpException.RuntimeException(403, e.getMessage()));
                return false;
            }
            return super.parseNext(buffer);
        }

        private void begin(ByteBuffer buffer) throws HttpgDelegations.RefusedException {
            byte first = buffer.get(buffer.position());
            if (first == NO_DELEGATION) {
                buffer.get();
            } else if (first == DELEGATION && buffer.remaining() == 1) {
                buffer.get();
                HttpgDelegations.Exchange begun = delegations.begin(endPoint.getSslSessionData(), port);
                exchange = begun;
                if (!endPoint.isOpen()) {
                    end(); // closed meanwhile: nobody else would
                    return;
                }
                certificate = new DerMessage();
                endPoint.write(Callback.from(() -> {}, endPoint::close), ByteBuffer.wrap(begun.request()));
            }
        }

        private void take(ByteBuffer buffer, DerMessage message) throws HttpgDelegations.RefusedException {
            if (!message.take(buffer)) {
                return;
            }
            certificate = null;
            HttpgDelegations.Exchange begun = exchange;
            if (begun != null) {
                connection.setAttribute(Identity.DELEGATED_ATTRIBUTE, begun.answer(message.bytes()));
            }
            end();
        }

        /** Nothing is delegated any more. */
        private void end() {
            HttpgDelegations.Exchange begun = exchange;
            exchange = null;
            if (begun != null) {
                begun.close();
            }
        }
    }
}
