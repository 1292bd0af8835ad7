// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jobgate.access.AuditRecords;
import org.jobgate.bes.Acceptance;
import org.jobgate.bes.BesDoor;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.cream.CreamDoor;
import org.jobgate.delegation.Delegation;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.door.FrontDoor;
import org.jobgate.gram.GramDoor;
import org.jobgate.gt4.WaitPlaces;
import org.jobgate.rest.api.Administration;
import org.jobgate.rest.api.ApiDoor;
import org.jobgate.rest.arc.ArcDoor;
import org.jobgate.rest.console.ConsoleDoor;
import org.jobgate.rest.files.FilesDoor;
import org.jobgate.rft.RftDoor;
import org.jobgate.srm.SrmDoor;
import org.jspecify.annotations.Nullable;

/** The front doors of this gateway: the one list to which a new door is added. */
final class FrontDoors {

    private final JobgateConfig config;
    private final BiFunction<String, Set<String>, DoorContext> contexts;
    private final List<FrontDoor> made = new ArrayList<>();

    /** Whose requests to move files are those of the REST API, too; absent where it is not served. */
    private @Nullable RftDoor rft;

    private FrontDoors(JobgateConfig config, BiFunction<String, Set<String>, DoorContext> contexts) {
        this.config = config;
        this.contexts = contexts;
    }

    /**
     * Makes those that are not turned off; none is started.
     *
     * @param contexts what a door of this name, which keeps records of these kinds, is given
     * @param delegation absent where credentials cannot be delegated
     * @param transfers absent where files are not moved
     * @param acceptance the switch for new jobs
     * @param administration what administrators see and change
     */
    static List<FrontDoor> make(
            Base base,
            BiFunction<String, Set<String>, DoorContext> contexts,
            @Nullable Delegation delegation,
            RftDoor.@Nullable Transfers transfers,
            Acceptance acceptance,
            AuditRecords records,
            Administration administration) {
        JobgateConfig config = base.config();
        WaitPlaces waiting = Gram.waiting(config.limits());
        FrontDoors doors = new FrontDoors(config, contexts);
        doors.add(DoorAddresses.GRAM, GramDoor.RECORDS, door -> Gram.door(config, base.home(), waiting, door));
        if (delegation != null) {
            doors.add(DoorAddresses.DELEGATION, Set.of(), delegation::gt4Door);
            doors.add(DoorAddresses.GRIDSITE, Set.of(), delegation::gridsiteDoor);
        }
        if (transfers != null) {
            doors.add(
                    DoorAddresses.RFT,
                    RftDoor.RECORDS,
                    door -> doors.rft = new RftDoor(Rft.settings(config, waiting), door, transfers));
        }
        doors.add(
                DoorAddresses.FILES, FilesDoor.RECORDS, door -> new FilesDoor(FileDoor.settings(config.files()), door));
        doors.add(DoorAddresses.CREAM, CreamDoor.RECORDS, door -> Cream.door(config, base.homes(), door, delegation));
        doors.add(
                DoorAddresses.ARC,
                ArcDoor.RECORDS,
                door -> new ArcDoor(Arc.settings(config), Arc.rules(config), Arc.homes(base.homes()), door));
        doors.add(
                DoorAddresses.REST,
                Set.of(),
                door -> new ApiDoor(
                        Api.settings(config),
                        door,
                        doors.rft == null ? null : doors.rft.ownTransfers(),
                        Languages.of(config, base.home(), door),
                        records,
                        administration));
        doors.add(
                DoorAddresses.BES,
                Set.of(),
                door -> new BesDoor(Bes.settings(config), door, Jsdl.language(config, door), acceptance));
        doors.add(DoorAddresses.SRM, SrmDoor.RECORDS, door -> Srm.door(config, base.homes(), door, transfers));
        if (doors.areAtOneAddress(DoorAddresses.CONSOLE, DoorAddresses.REST, DoorAddresses.FILES)) {
            doors.add(DoorAddresses.CONSOLE, Set.of(), door -> new ConsoleDoor());
        }
        return List.copyOf(doors.made);
    }

    /** Whether all are served, on the same port: pages may ask only the address that they came from. */
    private boolean areAtOneAddress(String... names) {
        return Arrays.stream(names).allMatch(config::serves)
                && Arrays.stream(names)
                                .map(name ->
                                        Optional.ofNullable(config.door(name).port()))
                                .distinct()
                                .count()
                        == 1;
    }

    private void add(String name, Set<String> records, Function<DoorContext, FrontDoor> maker) {
        if (config.serves(name)) {
            made.add(maker.apply(contexts.apply(name, records)));
        }
    }
}
