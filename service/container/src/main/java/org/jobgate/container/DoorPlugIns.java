// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.job.Reason;
import org.jobgate.transfer.door.DoorChoice;
import org.jobgate.transfer.door.DoorChoiceProvider;
import org.jobgate.transfer.door.DoorState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ways to choose among doors that a site has put beside the server's jars. What they do wrong costs no file. */
final class DoorPlugIns {

    private static final Logger LOG = LoggerFactory.getLogger(DoorPlugIns.class);

    private DoorPlugIns() {}

    /**
     * The one of this name.
     *
     * @throws ConfigurationException if there is none, or it cannot be made
     */
    static DoorChoice find(String name) {
        List<String> names = new ArrayList<>();
        try {
            for (DoorChoiceProvider provider :
                    ServiceLoader.load(DoorChoiceProvider.class, DoorPlugIns.class.getClassLoader())) {
                if (provider.name().equals(name)) {
                    return guarded(name, provider.create());
                }
                names.add(provider.name());
            }
        } catch (ServiceConfigurationError | RuntimeException e) {
            LOG.error("A plug-in that chooses among doors cannot be loaded", e);
            throw new ConfigurationException(List.of("staging.doorPlugIn = " + name + ": a plug-in cannot be loaded: "
                    + Reason.of(e) + ". Mend its jar."));
        }
        throw new ConfigurationException(
                List.of("staging.doorPlugIn = " + name + ": there is none of this name; found are " + names
                        + ". Put its jar into the folder of the server's jars (lib)."));
    }

    private static DoorChoice guarded(String name, DoorChoice choice) {
        return doors -> {
            try {
                DoorState chosen = choice.choose(doors);
                if (doors.contains(chosen)) {
                    return chosen;
                }
                LOG.error(
                        "The plug-in {} chose {}, which is none of {}; the first of them is taken",
                        name,
                        chosen,
                        doors);
            } catch (RuntimeException e) {
                LOG.error("The plug-in {} failed to choose among {}; the first of them is taken", name, doors, e);
            }
            return doors.getFirst();
        };
    }
}
