// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.job.Reason;
import org.jobgate.transfer.server.ServerChoice;
import org.jobgate.transfer.server.ServerChoiceProvider;
import org.jobgate.transfer.server.ServerState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ways to choose among file servers that a site has put beside the server's jars. What they do wrong costs no file. */
final class ServerPlugIns {

    private static final Logger LOG = LoggerFactory.getLogger(ServerPlugIns.class);

    private ServerPlugIns() {}

    /**
     * The one of this name.
     *
     * @throws ConfigurationException if there is none, or it cannot be made
     */
    static ServerChoice find(String name) {
        List<String> names = new ArrayList<>();
        try {
            for (ServerChoiceProvider provider :
                    ServiceLoader.load(ServerChoiceProvider.class, ServerPlugIns.class.getClassLoader())) {
                if (provider.name().equals(name)) {
                    return guarded(name, provider.create());
                }
                names.add(provider.name());
            }
        } catch (ServiceConfigurationError | RuntimeException e) {
            LOG.error("A plug-in that chooses among file servers cannot be loaded", e);
            throw new ConfigurationException(List.of("staging.serverPlugIn = " + name + ": a plug-in cannot be loaded: "
                    + Reason.of(e) + ". Mend its jar."));
        }
        throw new ConfigurationException(
                List.of("staging.serverPlugIn = " + name + ": there is none of this name; found are " + names
                        + ". Put its jar into the folder of the server's jars (lib)."));
    }

    private static ServerChoice guarded(String name, ServerChoice choice) {
        return servers -> {
            try {
                ServerState chosen = choice.choose(servers);
                if (servers.contains(chosen)) {
                    return chosen;
                }
                LOG.error(
                        "The plug-in {} chose {}, which is none of {}; the first of them is taken",
                        name,
                        chosen,
                        servers);
            } catch (RuntimeException e) {
                LOG.error("The plug-in {} failed to choose among {}; the first of them is taken", name, servers, e);
            }
            return servers.getFirst();
        };
    }
}
