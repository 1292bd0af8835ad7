// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.util.Optional;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.SrmConfig;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.files.FileChecksum;
import org.jobgate.gram.service.AccountHomes;
import org.jobgate.limits.Limit;
import org.jobgate.rest.api.ApiServlet;
import org.jobgate.rft.RftDoor;
import org.jobgate.srm.SpaceLimits;
import org.jobgate.srm.SrmDoor;
import org.jobgate.srm.SrmSettings;
import org.jobgate.transfer.server.FileServers;
import org.jspecify.annotations.Nullable;

/** The settings of the door of the storage resource manager, read from the configuration. */
final class Srm {

    private Srm() {}

    /** @param transfers absent where files are not moved: then there are no file servers either */
    static SrmDoor door(
            JobgateConfig config, AccountHomes homes, DoorContext door, RftDoor.@Nullable Transfers transfers) {
        Optional<String> https = door.addresses().url(DoorAddresses.REST).map(url -> url + ApiServlet.PATH + "/trees/");
        DiskRoom disks = new DiskRoom(door.trees(), homes::home);
        SrmSettings settings = settings(config, https, homes, disks);
        return transfers == null
                ? new SrmDoor(settings, door, FileServers.NONE, null)
                : new SrmDoor(
                        settings,
                        door,
                        transfers.engine().fileServers(),
                        new SrmDoor.Copying(transfers.engine(), transfers.protocols()));
    }

    private static SrmSettings settings(
            JobgateConfig config, Optional<String> https, AccountHomes homes, DiskRoom disks) {
        SrmConfig srm = config.srm();
        return new SrmSettings(
                Version.current(),
                new Limit("srm.maxListedEntries", srm.maxListedEntries()),
                new Limit("srm.maxPaths", srm.maxPaths()),
                new Limit("srm.maxRequests", srm.maxRequests()),
                new Limit("srm.maxRequestsPerOwner", srm.maxRequestsPerOwner()),
                new Limit("srm.maxRequestSizes", srm.maxRequestSizes().bytes()),
                new Limit(
                        "srm.maxRequestSizesPerOwner",
                        srm.maxRequestSizesPerOwner().bytes()),
                srm.requestLifetime(),
                srm.maxRequestLifetime(),
                srm.keepFinished(),
                FileChecksum.of(srm.checksum().name()).orElseThrow(),
                srm.maxChecksumSize().bytes(),
                GramLimits.xml(config.gram()),
                srm.localFiles(),
                https,
                new SpaceLimits(
                        new Limit("srm.maxSpaces", srm.maxSpaces()),
                        new Limit("srm.maxSpacesPerOwner", srm.maxSpacesPerOwner()),
                        new Limit(
                                "srm.maxReservedPerOwner",
                                srm.maxReservedPerOwner().bytes()),
                        srm.maxSpaceLifetime()),
                homes::home,
                disks::size);
    }
}
