// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.job.JobOrigin;
import org.jobgate.language.JobLanguage;
import org.jobgate.soap.SoapLimits;
import org.jobgate.soap.SoapMount;

/** The front door of OGSA-BES 1.0: the services BESFactory and BESManagement. */
public final class BesDoor implements FrontDoor {

    /** The path that the services are below. */
    public static final String ROOT = "/bes";

    private final Mount mount;

    /**
     * The door.
     *
     * @param language of activity documents
     * @param acceptance the switch for new jobs
     */
    public BesDoor(BesSettings settings, DoorContext door, JobLanguage language, Acceptance acceptance) {
        requireNonNull(settings, "settings is null");
        requireNonNull(door, "door is null");
        requireNonNull(language, "language is null");
        requireNonNull(acceptance, "acceptance is null");
        String baseUrl = door.url() + ROOT;
        String factory = baseUrl + "/" + BesService.FACTORY;
        BesFaults faults = new BesFaults(language);
        CreateActivity create = new CreateActivity(
                door.jobs(), language, settings, new JobOrigin(DoorAddresses.BES, language.name()), factory);
        Vectors vectors = new Vectors(new Activities(door.jobs()), faults, language, settings);
        FactoryAttributes attributes = new FactoryAttributes(door.jobs(), acceptance, settings, factory);
        Management management = new Management(acceptance, settings.administrators());
        Map<QName, BesService.Operation> operations = Map.of(
                BesNames.factory("CreateActivity"), create::answer,
                BesNames.factory("GetActivityStatuses"), vectors::statuses,
                BesNames.factory("TerminateActivities"), vectors::terminate,
                BesNames.factory("GetActivityDocuments"), vectors::documents,
                BesNames.factory("GetFactoryAttributesDocument"), attributes::answer,
                BesNames.management("StopAcceptingNewActivities"), management::stop,
                BesNames.management("StartAcceptingNewActivities"), management::start,
                BesNames.ours("DestroyActivities"), vectors::destroy);
        this.mount = new SoapMount(
                ROOT,
                baseUrl,
                new SoapLimits(door.bodyBytes(), settings.xml()),
                new BesDialect(faults),
                new BesDocuments(baseUrl)::find,
                List.of(
                        new BesService(BesService.FACTORY, door.access(), operations),
                        new BesService(BesService.MANAGEMENT, door.access(), operations)),
                true);
    }

    @Override
    public String name() {
        return DoorAddresses.BES;
    }

    @Override
    public List<Mount> mounts() {
        return List.of(mount);
    }
}
