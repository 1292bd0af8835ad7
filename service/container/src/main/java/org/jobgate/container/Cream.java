// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.container.config.CreamConfig;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.cream.CreamDoor;
import org.jobgate.cream.CreamSettings;
import org.jobgate.delegation.Delegation;
import org.jobgate.door.DoorContext;
import org.jobgate.gram.service.PasswdHomes;
import org.jobgate.limits.Limit;
import org.jobgate.soap.SoapService;
import org.jspecify.annotations.Nullable;

/** What the door of CREAM2 is told of the configuration. */
final class Cream {

    private Cream() {}

    /** @param delegation absent where credentials cannot be delegated */
    static CreamDoor door(JobgateConfig config, DoorContext door, @Nullable Delegation delegation) {
        List<SoapService> services =
                delegation == null ? List.of() : List.of(delegation.gridsiteService(door.access()));
        return new CreamDoor(settings(config), door, services, new PasswdHomes()::home);
    }

    private static CreamSettings settings(JobgateConfig config) {
        CreamConfig cream = config.cream();
        return new CreamSettings(
                Version.current(),
                cream.requireDelegation(),
                cream.maxLeaseTime(),
                Set.copyOf(cream.administrators()),
                Map.of(
                        "DONE-OK", cream.keepDoneOk(),
                        "DONE-FAILED", cream.keepDoneFailed(),
                        "ABORTED", cream.keepAborted(),
                        "CANCELLED", cream.keepCancelled(),
                        "REGISTERED", cream.keepRegistered()),
                new Limit("cream.maxListedJobs", cream.maxListedJobs()),
                new Limit("cream.maxEvents", cream.maxEvents()),
                new Limit("cream.maxLeasesPerOwner", cream.maxLeasesPerOwner()),
                config.limits().jobLimits(),
                GramLimits.xml(config.gram()));
    }
}
