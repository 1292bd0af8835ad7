// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jobgate.files.ExportedTree;
import org.jobgate.job.FaultException;
import org.jobgate.xml.XmlContent;

/** What clients ask of the site as a whole: whether it is there, how files are moved, where there is space. */
final class SiteOperations {

    private static final QName VERSION = new QName("versionInfo");
    private static final String SRM_VERSION = "v2.2";
    private static final String FOR_EVER = "-1";

    private final Trees trees;
    private final SrmSettings settings;
    private final Turls turls;

    SiteOperations(Trees trees, SrmSettings settings, Turls turls) {
        this.trees = requireNonNull(trees, "trees is null");
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

    /** Each tree is a space with a token that never changes: its name. */
    XmlContent spaceTokens(Call call) {
        call.account();
        String wanted = call.ask().text("userSpaceTokenDescription").orElse("");
        List<String> tokens = trees.all().stream()
                .map(ExportedTree::name)
                .filter(name -> wanted.isEmpty() || name.equals(wanted))
                .toList();
        if (tokens.isEmpty()) {
            throw SrmException.invalid("There is no space that is described as '" + Surl.shown(wanted)
                    + "'; spaces here have the names of the trees.");
        }
        return Answer.of(
                Status.SUCCESS,
                Answer.array("arrayOfSpaceTokens", "stringArray", tokens, (out, token) -> out.text(token)));
    }

    /** What is told of one space. */
    private record Space(String token, Status status) {}

    XmlContent spaces(Call call) {
        String account = call.account();
        List<Space> spaces = new ArrayList<>();
        for (String token : call.ask().texts("arrayOfSpaceTokens", "stringArray", settings.paths())) {
            boolean isKnown = trees.all().stream().anyMatch(tree -> tree.name().equals(token));
            spaces.add(new Space(
                    isKnown ? token : Surl.shown(token),
                    isKnown
                            ? Status.SUCCESS
                            : new Status(
                                    Code.SRM_INVALID_REQUEST,
                                    "There is no space with that token; srmGetSpaceTokens lists those there are.")));
        }
        if (spaces.isEmpty()) {
            throw SrmException.invalid("The request names no space token.");
        }
        Status status = Status.overall(spaces.stream().map(Space::status).toList(), Set.of(Code.SRM_SUCCESS), "spaces");
        return Answer.of(status, Answer.array("arrayOfSpaceDetails", "spaceDataArray", spaces, (out, space) -> {
            Answer.put(out, "spaceToken", space.token());
            space.status().write(out, new QName("status"));
            if (space.status().code() == Code.SRM_SUCCESS) {
                out.open(new QName("retentionPolicyInfo"));
                Answer.put(out, "retentionPolicy", "REPLICA");
                Answer.put(out, "accessLatency", "ONLINE");
                out.close();
                settings.disks().size(account, space.token()).ifPresent(size -> {
                    Answer.put(out, "totalSize", size.total());
                    Answer.put(out, "unusedSize", size.free());
                });
                Answer.put(out, "lifetimeAssigned", FOR_EVER);
                Answer.put(out, "lifetimeLeft", FOR_EVER);
            }
        }));
    }
}
