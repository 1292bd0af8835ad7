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
import org.jspecify.annotations.Nullable;

/**
 * Makes connections that are https or httpg, the HTTP of the Globus toolkit's security (GSI): the client of httpg sends one byte when the
 * TLS handshake is done, before its first request. {@code 0} says that no credential is delegated; it is left out. {@code D} would have one
 * delegated, which is not done here. No method of HTTP begins with {@code 0}; one that begins with {@code D} comes with further letters,
 * while the client that wants to delegate waits for an answer to its one byte.
 */
final class HttpgConnections extends HttpConnectionFactory {

    HttpgConnections(HttpConfiguration configuration) {
        super(configuration);
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        HttpConnection made = new Httpg(getHttpConfiguration(), connector, endPoint);
        made.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
        return configure(made, connector, endPoint);
    }

    private static final class Httpg extends HttpConnection {

        /** Set by the constructor of the class above: it must not have a value of its own here. */
        private @Nullable RequestHandler handler;

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
            FirstByte parser = new FirstByte(requireNonNull(handler), configuration.getRequestHeaderSize(), compliance);
            parser.setHeaderCacheSize(configuration.getHeaderCacheSize());
            parser.setHeaderCacheCaseSensitive(configuration.isHeaderCacheCaseSensitive());
            return parser;
        }
    }

    /** Reads requests, and before the first of them the byte of httpg, if it is there. */
    private static final class FirstByte extends HttpParser {

        private static final byte NO_DELEGATION = '0';
        private static final byte DELEGATION = 'D';

        private boolean isBegun;

        FirstByte(HttpParser.RequestHandler handler, int maxHeaderBytes, HttpCompliance compliance) {
            super(handler, maxHeaderBytes, compliance);
        }

        @Override
        public boolean parseNext(ByteBuffer buffer) {
            if (!isBegun && buffer.hasRemaining()) {
                isBegun = true;
                byte first = buffer.get(buffer.position());
                if (first == NO_DELEGATION) {
                    buffer.get();
                } else if (first == DELEGATION && buffer.remaining() == 1) {
                    throw new HttpException.RuntimeException(
                            400,
                            "Delegation by the first byte of httpg is not served here."
                                    + " Delegate by the delegation service, and connect without delegation.");
                }
            }
            return super.parseNext(buffer);
        }
    }
}
