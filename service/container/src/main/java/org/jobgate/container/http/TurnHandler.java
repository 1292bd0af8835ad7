// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jobgate.identity.Identity;

/** Sees that each request has a place of its owner's while it is worked on ({@link TurnGate}), and tells who waits with too many. */
final class TurnHandler extends Handler.Wrapper {

    private final TurnGate gate;

    TurnHandler(TurnGate gate, Handler next) {
        super(requireNonNull(next, "next is null"));
        this.gate = requireNonNull(gate, "gate is null");
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String owner = request.getAttribute(Identity.REQUEST_ATTRIBUTE) instanceof Identity caller
                ? TurnGate.ownerKey(caller.subject())
                : TurnGate.addressKey(request.getConnectionMetaData().getRemoteSocketAddress());
        TurnEndPoint endPoint = TurnEndPoint.of(request.getConnectionMetaData().getConnection());
        if (endPoint != null) {
            endPoint.ownedBy(owner);
        }
        TurnGate.Run run = gate.forRequest(owner);
        if (run == null) {
            Refusal.outOfTurn(gate.places(), gate.mostBegun()).write(request, response, callback);
            return true;
        }
        return run.handle(() -> super.handle(request, response, callback));
    }
}
