// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.LimitsConfig;
import org.jobgate.container.config.LrmConfig;
import org.jobgate.container.http.WaitingRequest;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.gram.GramDoor;
import org.jobgate.gram.GramSettings;
import org.jobgate.gram.JddLanguage;
import org.jobgate.gram.rendezvous.RendezvousLimits;
import org.jobgate.gram.service.AccountVariables;
import org.jobgate.gram.service.FactoryFacts;
import org.jobgate.gram.service.JobHandles;
import org.jobgate.gram.service.PasswdHomes;
import org.jobgate.gram.service.SiteDefinitions;
import org.jobgate.gram.service.StandardVariables;
import org.jobgate.gt4.WaitPlaces;
import org.jobgate.language.JobLanguages;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;

/** The settings of the GRAM4 door, read from the configuration. */
final class Gram {

    private Gram() {}

    static GramDoor door(JobgateConfig config, Path home, WaitPlaces waiting, DoorContext door) {
        GramSettings settings = settings(config, home, waiting);
        return new GramDoor(
                settings,
                door,
                variables(settings.facts(), config.lrms(), door.clock()),
                new JobLanguages(List.of(Jsdl.language(config, door))));
    }

    /** Its job description language, for this door. */
    static JddLanguage language(JobgateConfig config, Path home, DoorContext door) {
        FactoryFacts facts = facts(config.gram().scratchBaseDirectory(), home);
        return new JddLanguage(
                door.addresses().url(DoorAddresses.GRAM).orElse(door.url()),
                variables(facts, config.lrms(), door.clock()),
                GramLimits.xml(config.gram()),
                Gateways.factories(config.lrms()));
    }

    private static GramSettings settings(JobgateConfig config, Path home, WaitPlaces waiting) {
        return new GramSettings(
                facts(config.gram().scratchBaseDirectory(), home),
                config.limits().jobLimits(),
                GramLimits.xml(config.gram()),
                waiting,
                GramLimits.lifetimes(config.gram()),
                GramLimits.query(config.gram()),
                GramLimits.bulk(config.gram()),
                new Limit("callbacks.maxSubscriptionsPerJob", config.callbacks().maxSubscriptionsPerJob()),
                new RendezvousLimits(
                        new Limit(
                                "limits.maxRegistrantBytes",
                                config.limits().maxRegistrantBytes().bytes()),
                        new Limit(
                                "limits.maxRendezvousBytes",
                                config.limits().maxRendezvousBytes().bytes())),
                Gateways.factories(config.lrms()));
    }

    /** For requests of every SOAP door. */
    static WaitPlaces waiting(LimitsConfig limits) {
        return new WaitPlaces(
                new Limit("limits.maxWaitingRequests", limits.maxWaitingRequests()),
                limits.maxWait(),
                new WaitingRequest());
    }

    private static FactoryFacts facts(@Nullable Path scratchBase, Path home) {
        return FactoryFacts.ofThisHost(home.toString())
                .withScratchBase(scratchBase == null ? null : scratchBase.toString());
    }

    /** The environment variables of jobs that tell about this service. */
    static JobHandles handles(JobgateConfig config, String url, Path home) {
        return new JobHandles(
                config.serves(DoorAddresses.GRAM) ? url : null,
                home.toString(),
                config.server().trustDirectory().toString());
    }

    /** What the variables of job descriptions stand for. */
    private static AccountVariables variables(FactoryFacts facts, List<LrmConfig> lrms, Clock clock) {
        Map<String, SiteDefinitions> sites = new HashMap<>();
        for (LrmConfig lrm : lrms) {
            Path file = lrm.substitutionDefinitions();
            if (file != null) {
                sites.put(lrm.name(), definitions(lrm, file, clock));
            }
        }
        return new StandardVariables(facts, new PasswdHomes(), sites);
    }

    private static SiteDefinitions definitions(LrmConfig lrm, Path file, Clock clock) {
        try {
            return new SiteDefinitions(file, lrm.substitutionRefresh(), clock);
        } catch (IOException e) {
            throw new ConfigurationException(List.of("substitutionDefinitions of the LRM " + lrm.name()
                    + " cannot be used: " + e
                    + ". Name a file of lines NAME=text that the service can read."));
        }
    }
}
