// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jobgate.access.Access;
import org.jobgate.authz.Decision;
import org.jobgate.delegation.vault.VaultSettings;
import org.jobgate.door.DoorContext;
import org.jobgate.door.DoorContexts;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.limits.Limit;
import org.jobgate.soap.Answer;
import org.jobgate.soap.SoapServer;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.xml.XmlLimits;

/** The delegation services behind a real HTTP server. Who calls is told by the header {@code Test-Subject}. */
public final class DelegationDoor implements AutoCloseable {

    private final SoapServer server = new SoapServer();
    private final JobStore store;
    private final Delegation delegation;

    public DelegationDoor(TestGrid grid, Path directory) {
        store = TestStores.sqlite(directory);
        DelegationSettings settings = new DelegationSettings(
                directory.resolve("site.key"),
                1,
                new Limit("delegation.maxPendingKeys", 10),
                new Limit("delegation.maxPendingKeysPerOwner", 5),
                VaultSettings.defaults(),
                Duration.ofMinutes(1),
                XmlLimits.defaults(),
                QueryLimits.defaults(),
                "1.2.3");
        delegation = new Delegation(settings, store, grid.check(), Clock.systemUTC(), new SecureRandom());
        DoorContext context = DoorContexts.at(server.url())
                .access(new Access(identity -> new Decision.Permit(List.of("somebody"))))
                .make();
        server.publish(delegation.gt4Door(context).mounts());
        server.publish(delegation.gridsiteDoor(context).mounts());
    }

    public String baseUrl() {
        return server.baseUrl();
    }

    public Delegation delegation() {
        return delegation;
    }

    public Answer post(String subject, String service, String envelope) {
        return server.post(service, envelope, SoapServer.SUBJECT, subject);
    }

    public Answer get(String pathAndQuery) {
        return server.get(pathAndQuery);
    }

    @Override
    public void close() {
        delegation.close();
        server.close();
        store.close();
    }
}
