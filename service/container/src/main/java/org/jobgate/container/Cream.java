// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.net.URI;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.container.config.CreamConfig;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.cream.CreamDoor;
import org.jobgate.cream.CreamSettings;
import org.jobgate.cream.SandboxPlaces;
import org.jobgate.delegation.Delegation;
import org.jobgate.door.DoorContext;
import org.jobgate.files.UrlText;
import org.jobgate.gram.service.AccountHomes;
import org.jobgate.limits.Limit;
import org.jobgate.soap.SoapService;
import org.jobgate.transfer.server.FileServer;
import org.jspecify.annotations.Nullable;

/** The settings of the door of CREAM2, read from the configuration. */
final class Cream {

    private Cream() {}

    /** @param delegation absent where credentials cannot be delegated */
    static CreamDoor door(JobgateConfig config, AccountHomes homes, DoorContext door, @Nullable Delegation delegation) {
        List<SoapService> services =
                delegation == null ? List.of() : List.of(delegation.gridsiteService(door.access()));
        return new CreamDoor(
                settings(config),
                door,
                services,
                delegation == null
                        ? query -> Optional.empty()
                        : Delegation.gridsiteDocuments(door.url() + CreamDoor.ROOT),
                Places.of(config, homes));
    }

    /**
     * Sandboxes below the homes of accounts, reached through the file servers that the site names where it wants that.
     *
     * @param servers those of gsiftp; the longest path counts
     */
    record Places(AccountHomes homes, List<FileServer> servers) implements SandboxPlaces {

        static Places of(JobgateConfig config, AccountHomes homes) {
            List<FileServer> servers =
                    config.cream().gsiftpSandboxes() ? Staging.fileServers(config.staging()) : List.of();
            return of(homes, servers);
        }

        static Places of(AccountHomes homes, List<FileServer> servers) {
            return new Places(
                    homes,
                    servers.stream()
                            .filter(server ->
                                    "gsiftp".equalsIgnoreCase(server.url().getScheme()))
                            .sorted(Comparator.comparingInt(
                                            (FileServer server) -> server.path().length())
                                    .reversed())
                            .toList());
        }

        @Override
        public Optional<String> home(String account) {
            return homes.home(account);
        }

        @Override
        public Optional<String> fileServer(String lrm, String directory) {
            URI file = URI.create("file://"
                    + Arrays.stream(directory.split("/", -1))
                            .map(UrlText::ofName)
                            .collect(Collectors.joining("/")));
            return servers.stream()
                    .filter(server -> server.isFor(lrm))
                    .flatMap(server -> server.through(file).stream())
                    .findFirst()
                    .map(URI::toString);
        }
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
