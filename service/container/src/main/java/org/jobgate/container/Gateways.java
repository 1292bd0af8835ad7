// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.LrmConfig;
import org.jobgate.container.tls.TlsContexts;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.gram.jdd.JddRenderer;
import org.jobgate.gram.multi.OtherFactory;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobDescription;
import org.jobgate.job.TransferList;
import org.jobgate.remote.ClientCredential;
import org.jobgate.remote.GatewayLrm;
import org.jobgate.remote.GatewaySettings;
import org.jobgate.remote.JobWriter;
import org.jobgate.store.JobStore;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** The LRMs that are other gateways: {@code adapter: gateway}. */
final class Gateways {

    private static final String ADAPTER = "gateway";
    private static final String URL = "url";
    private static final String LRM = "lrm";
    private static final String CREDENTIAL = "credential";
    private static final Set<String> OPTIONS = Set.of(URL, LRM, CREDENTIAL);

    private Gateways() {}

    static boolean is(LrmConfig lrm) {
        return lrm.adapter().equals(ADAPTER);
    }

    /** What sub-jobs may name. */
    static List<OtherFactory> factories(List<LrmConfig> lrms) {
        List<OtherFactory> factories = new ArrayList<>();
        for (LrmConfig lrm : lrms) {
            if (is(lrm)) {
                GatewaySettings settings = settings(lrm);
                factories.add(new OtherFactory(lrm.name(), settings.factory().toString(), settings.lrm()));
            }
        }
        return factories;
    }

    /** @param vault of delegated credentials; absent where none can be delegated */
    static GatewayLrm lrm(
            LrmConfig lrm, TlsContexts tls, OwnPorts ports, @Nullable Vault vault, JobStore store, Clock clock) {
        GatewaySettings settings = settings(lrm);
        ClientCredential host = showsHost(lrm) ? new ClientCredential("host", tls.forGateway()) : null;
        JddRenderer renderer =
                new JddRenderer(Generation.GT42, settings.factory().toString());
        return new GatewayLrm(
                settings,
                new JobWriter() {
                    @Override
                    public void write(XmlWriter out, JobDescription description) {
                        renderer.write(out, description, null);
                    }

                    @Override
                    public Optional<String> unsaidOption(TransferList files) {
                        return JddRenderer.unsaidOption(files);
                    }
                },
                new DelegatedOrHostCredentials(lrm.name(), vault, host, tls, clock),
                store,
                clock,
                Destinations.ofSite(ports));
    }

    private static GatewaySettings settings(LrmConfig lrm) {
        Map<String, String> options = lrm.optionsByName();
        for (String name : options.keySet()) {
            if (!OPTIONS.contains(name)) {
                throw refused(lrm, "the adapter gateway has no option " + name + "; it has url, lrm and credential");
            }
        }
        String url = options.get(URL);
        if (url == null) {
            throw refused(
                    lrm,
                    "the adapter gateway needs the option url=https://HOST:PORT/wsrf/services/ManagedJobFactoryService");
        }
        try {
            return new GatewaySettings(
                    lrm.name(), URI.create(url), options.get(LRM), lrm.requestTimeout(), lrm.throttle());
        } catch (IllegalArgumentException e) {
            throw refused(lrm, String.valueOf(e.getMessage()));
        }
    }

    private static boolean showsHost(LrmConfig lrm) {
        String whose = lrm.optionsByName().getOrDefault(CREDENTIAL, "user");
        return switch (whose) {
            case "host" -> true;
            case "user" -> false;
            default -> throw refused(lrm, "credential must be user or host: " + whose);
        };
    }

    private static ConfigurationException refused(LrmConfig lrm, String why) {
        return new ConfigurationException(List.of("options of the LRM " + lrm.name() + ": " + why));
    }
}
