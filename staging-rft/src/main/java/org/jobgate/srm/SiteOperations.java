// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.job.FaultException;
import org.jobgate.xml.XmlContent;

/** What clients ask of the site as a whole: whether it is there, and how files are moved. */
final class SiteOperations {

    private static final QName VERSION = new QName("versionInfo");
    private static final String SRM_VERSION = "v2.2";

    private final SrmSettings settings;
    private final Turls turls;

    SiteOperations(SrmSettings settings, Turls turls) {
        this.settings = requireNonNull(settings, "settings is null");
        this.turls = requireNonNull(turls, "turls is null");
    }

    /** Anybody may ask it: it tells nothing that the certificate of the service does not. */
    XmlContent ping(Call call) {
        List<Map.Entry<String, String>> info = new ArrayList<>();
        info.add(Map.entry("backend_type", "Jobgate"));
        info.add(Map.entry("backend_version", settings.version()));
        if (!call.caller().isAnonymous()) {
            info.add(Map.entry("clientDN", call.caller().subject()));
            localId(call).ifPresent(account -> info.add(Map.entry("localID", account)));
            info.add(Map.entry("protocols", String.join(",", turls.protocols())));
        }
        return out -> {
            out.element(VERSION, SRM_VERSION);
            Answer.array("otherInfo", "extraInfoArray", info, (inner, one) -> {
                        Answer.put(inner, "key", one.getKey());
                        Answer.put(inner, "value", one.getValue());
                    })
                    .write(out);
        };
    }

    private static Optional<String> localId(Call call) {
        try {
            return Optional.of(call.account());
        } catch (FaultException e) {
            return Optional.empty(); // said by the operations that need one
        }
    }

    XmlContent protocols(Call call) {
        call.account();
        return Answer.of(
                Status.SUCCESS,
                Answer.array(
                        "protocolInfo",
                        "protocolArray",
                        turls.protocols(),
                        (out, protocol) -> Answer.put(out, "transferProtocol", protocol)));
    }
}
