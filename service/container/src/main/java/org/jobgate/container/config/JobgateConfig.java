// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.door.DoorAddresses;
import org.jobgate.limits.Limit;

/** The whole configuration; one component for each section of the file. */
public record JobgateConfig(
        ServerConfig server,
        StateConfig state,
        StoreConfig store,
        AuthorizationConfig authorization,
        List<DecisionPointConfig> decisionPoints,
        List<LrmConfig> lrms,
        WorkersConfig workers,
        LimitsConfig limits,
        SelfLimiterConfig selfLimiter,
        GramConfig gram,
        CallbacksConfig callbacks,
        DelegationConfig delegation,
        MessageSecurityConfig messageSecurity,
        FilesConfig files,
        List<FileTreeConfig> fileTrees,
        ChirpConfig chirp,
        List<ChirpServerConfig> chirpServers,
        ApiConfig api,
        BesConfig bes,
        CreamConfig cream,
        ArcConfig arc,
        SrmConfig srm,
        AuditConfig audit,
        StagingConfig staging,
        LogConfig log,
        MonitoringConfig monitoring,
        TracingConfig tracing,
        CredentialsConfig credentials,
        List<PortConfig> ports,
        TokensConfig tokens,
        List<TokenIssuerConfig> tokenIssuers,
        SignInConfig signIn,
        ClientsConfig clients,
        Map<String, DoorConfig> doors) {

    public JobgateConfig {
        lrms = List.copyOf(lrms);
        decisionPoints = List.copyOf(decisionPoints);
        ports = List.copyOf(ports);
        fileTrees = List.copyOf(fileTrees);
        chirpServers = List.copyOf(chirpServers);
        tokenIssuers = List.copyOf(tokenIssuers);
        doors = Collections.unmodifiableMap(new LinkedHashMap<>(doors));
        Set<String> names = new HashSet<>();
        Map<String, String> spools = new HashMap<>();
        for (LrmConfig lrm : lrms) {
            String other = lrm.spool() == null ? null : spools.putIfAbsent(lrm.spool(), lrm.name());
            if (other != null) {
                throw new IllegalArgumentException("lrms: " + other + " and " + lrm.name() + " have the same spool, "
                        + lrm.spool() + "; each LRM needs one of its own. Leave the setting out of one of them");
            }
            if (!names.add(lrm.name())) {
                throw new IllegalArgumentException("lrms: the name " + lrm.name() + " is given twice");
            }
        }
        Set<String> trees = new HashSet<>();
        for (FileTreeConfig tree : fileTrees) {
            if (!trees.add(tree.name())) {
                throw new IllegalArgumentException("fileTrees: the name " + tree.name() + " is given twice");
            }
        }
        Set<String> chirps = new HashSet<>();
        for (ChirpServerConfig one : chirpServers) {
            if (!chirps.add(one.name())) {
                throw new IllegalArgumentException("chirpServers: the name " + one.name() + " is given twice");
            }
        }
        Set<String> issuers = new HashSet<>();
        for (TokenIssuerConfig issuer : tokenIssuers) {
            if (!issuers.add(issuer.issuer())) {
                throw new IllegalArgumentException("tokenIssuers: " + issuer.issuer() + " is given twice");
            }
        }
    }

    /** How the door of this name is to be. */
    public DoorConfig door(String name) {
        return doors.getOrDefault(name, DoorConfig.defaults());
    }

    /** Whether clients can use the door of this name: it is not turned off, and neither is what it is the door of. */
    public boolean serves(String door) {
        return switch (door) {
            case DoorAddresses.DELEGATION, DoorAddresses.GRIDSITE ->
                delegation.enabled() && door(door).enabled();
            case DoorAddresses.SRM -> !fileTrees.isEmpty() && door(door).enabled();
            case DoorAddresses.RFT -> staging.enabled() && door(door).enabled();
            default -> doors.containsKey(door) && door(door).enabled();
        };
    }

    /** How many bytes the body of one request to this door may have, by the name of the setting that says so. */
    public Limit bodyBytes(String door) {
        DataSize own = door(door).maxBodyBytes();
        return own == null
                ? new Limit("limits.maxBodyBytes", limits.maxBodyBytes().bytes())
                : new Limit("doors." + door + ".maxBodyBytes", own.bytes());
    }
}
