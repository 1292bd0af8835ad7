// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door;

import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Reads and drops what a client still sends of a body after its answer, as the container does in front of every door. Jetty alone closes
 * the connection with unread bytes in it; the system resets it then, and now and then a client sees that in the place of the answer.
 */
public final class RestOfBodies extends Handler.Wrapper {

    public RestOfBodies(Handler next) {
        super(next);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Body body = new Body(request);
        return super.handle(body, new Answer(body, response), callback);
    }

    private static final class Body extends Request.Wrapper {

        private volatile boolean isRead;

        Body(Request request) {
            super(request);
        }

        @Override
        public Content.Chunk read() {
            Content.Chunk chunk = super.read();
            if (chunk != null && (chunk.isLast() || Content.Chunk.isFailure(chunk))) {
                isRead = true;
            }
            return chunk;
        }

        /** Jetty lets every later read fail. */
        @Override
        public boolean consumeAvailable() {
            return !isRead || super.consumeAvailable();
        }

        void drop(Callback next) {
            while (!isRead) {
                Content.Chunk chunk = read();
                if (chunk == null) {
                    demand(() -> drop(next));
                    return;
                }
                chunk.release();
            }
            next.succeeded();
        }
    }

    private static final class Answer extends Response.Wrapper {

        private final Body body;

        Answer(Body body, Response response) {
            super(body, response);
            this.body = body;
        }

        @Override
        public void write(boolean last, ByteBuffer content, Callback callback) {
            super.write(
                    last,
                    content,
                    last && !body.isRead ? Callback.from(() -> body.drop(callback), callback::failed) : callback);
        }
    }
}
