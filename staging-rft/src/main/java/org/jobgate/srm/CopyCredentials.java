// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.Comparator;
import java.util.Optional;
import org.jobgate.access.Caller;
import org.jobgate.access.Delegations;
import org.jobgate.access.Delegations.Delegation;
import org.jobgate.door.DoorAddresses;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The credential by which files are copied to and from other servers: one that the client has delegated. SRM has no word for it, so it is
 * the one that the request names as {@code delegationID} in its sourceStorageSystemInfo; else that which came by the connection of the request
 * (httpg), for that is what the client means to be used, and has the rights that it shows; else the proxy that lasts the longest.
 */
final class CopyCredentials {

    private static final int LOOKED_AT = 1000;
    private static final Limit INFO = new Limit("srm.maxPaths", 100);
    private static final String ID = "delegationID";

    private final @Nullable Delegations delegations;
    private final Clock clock;
    private final Optional<String> service;

    /** @param delegations absent where nothing can be delegated */
    CopyCredentials(@Nullable Delegations delegations, DoorAddresses addresses, Clock clock) {
        this.delegations = delegations;
        this.clock = requireNonNull(clock, "clock is null");
        this.service = addresses.url(DoorAddresses.GRIDSITE).map(url -> url + "/gridsite-delegation");
    }

    /**
     * The id of the one that is used.
     *
     * @return absent where none is needed and there is none
     * @throws SrmException of SRM_AUTHENTICATION_FAILURE where one is needed, or named, and there is none that can be used
     */
    @Nullable
    String find(Call call, boolean isNeeded) {
        Caller caller = call.caller();
        Optional<String> named = named(call.ask());
        if (delegations == null) {
            if (isNeeded) {
                throw failure("This copy needs a credential of yours, and none can be delegated here.");
            }
            return null;
        }
        if (named.isPresent()) {
            return delegations
                    .find(caller, named.get())
                    .filter(this::isUsable)
                    .map(Delegation::id)
                    .orElseThrow(() -> failure("You have no delegated credential '" + Surl.shown(named.get())
                            + "' here that can be used now. " + how()));
        }
        Optional<String> best = ofConnection(delegations, call)
                .or(() -> delegations.list(caller, null, LOOKED_AT).stream()
                        .filter(one -> one.kind() == Delegations.Kind.PROXY && isUsable(one))
                        .max(Comparator.comparing(Delegation::expires)))
                .map(Delegation::id);
        if (best.isEmpty() && isNeeded) {
            throw failure("This copy needs a credential of yours at the other server, and you have delegated none here"
                    + " that can be used now. " + how());
        }
        return best.orElse(null);
    }

    private Optional<Delegation> ofConnection(Delegations all, Call call) {
        return Optional.ofNullable(call.delegated())
                .flatMap(id -> all.find(call.caller(), id))
                .filter(this::isUsable);
    }

    private static Optional<String> named(Ask ask) {
        return ask.part("sourceStorageSystemInfo")
                .flatMap(info -> info.items("extraInfoArray", INFO).stream()
                        .filter(one -> one.text("key").filter(ID::equals).isPresent())
                        .findFirst()
                        .flatMap(one -> one.text("value")));
    }

    private boolean isUsable(Delegation one) {
        return one.expires().isAfter(clock.instant()) && one.terminates().isAfter(clock.instant());
    }

    private String how() {
        return service.map(url -> "Delegate a proxy at " + url
                        + " (gridsite's delegation service; glite-ce-delegate-proxy does it, or"
                        + " the REST API), and ask again.")
                .orElse("Delegate a proxy by the REST API, and ask again.");
    }

    private static SrmException failure(String sentence) {
        return new SrmException(Code.SRM_AUTHENTICATION_FAILURE, sentence);
    }
}
