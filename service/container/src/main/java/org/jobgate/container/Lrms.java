// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.adapter.LrmSettings;
import org.jobgate.adapter.LrmSpool;
import org.jobgate.adapter.LrmSpools;
import org.jobgate.adapter.MonitorSettings;
import org.jobgate.adapter.PerlLrm;
import org.jobgate.container.backup.RestoreMark;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.LrmConfig;
import org.jobgate.container.tls.TlsContexts;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.lrm.Lrm;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/** Makes the LRMs that are configured: batch systems behind Perl adapters, and other gateways. */
final class Lrms {

    private final Base base;
    private final TlsContexts tls;
    private final @Nullable Vault vault;
    private final JobStore store;
    private final Map<String, String> ofRestored;
    private final Map<String, LrmSpool> spools;

    /**
     * @param vault holds the credentials in whose names other gateways are asked; absent where none can be delegated
     * @param mark of a store that was restored from a backup; absent for any other
     */
    Lrms(Base base, TlsContexts tls, @Nullable Vault vault, JobStore store, @Nullable RestoreMark mark) {
        this.ofRestored = mark == null
                ? Map.of()
                : Map.of("restored_at", Long.toString(mark.restoredAt().toEpochMilli()));
        this.base = base;
        this.tls = tls;
        this.vault = vault;
        this.store = store;
        this.spools = assigned();
    }

    /** In the order of the configuration: the first is the default. */
    List<Lrm> make() {
        return base.config().lrms().stream()
                .map(lrm -> base.keep(lrm(lrm, spools.get(lrm.name()))))
                .toList();
    }

    private Lrm lrm(LrmConfig lrm, @Nullable LrmSpool spool) {
        return spool == null ? Gateways.lrm(lrm, tls, base.ports(), vault, store, base.clock()) : perlLrm(lrm, spool);
    }

    /** The spools of the LRMs that are no gateways, by name. */
    Map<String, LrmSpool> spools() {
        return spools;
    }

    private Map<String, LrmSpool> assigned() {
        try {
            return new LrmSpools("~/.jobgate/" + nameOf(base.state()), store, base.clock())
                    .assign(base.config().lrms().stream()
                            .filter(lrm -> !Gateways.is(lrm))
                            .map(lrm -> new LrmSpools.Wanted(lrm.name(), lrm.perlAdapter(), lrm.spool()))
                            .toList());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("lrms: " + e.getMessage()));
        }
    }

    private PerlLrm perlLrm(LrmConfig lrm, LrmSpool spool) {
        LrmSettings settings = new LrmSettings(
                lrm.name(),
                lrm.perlAdapter(),
                base.home().resolve("perl"),
                lrm.perl(),
                lrm.sudo(),
                spool,
                Set.copyOf(base.config().authorization().deniedAccounts()),
                lrm.throttle(),
                lrm.maxRunning(),
                lrm.requestTimeout(),
                lrm.idleEnd(),
                lrm.grace(),
                new MonitorSettings(lrm.queueInterval(), lrm.earlyRefusal(), lrm.segCommand(), lrm.segLog()),
                options(lrm));
        return PerlLrm.create(settings, base.left(), store, base.clock());
    }

    private Map<String, String> options(LrmConfig lrm) {
        Map<String, String> options = new HashMap<>(lrm.optionsByName());
        options.putAll(ofRestored);
        return options;
    }

    /** The same name for the same directory at every start, another one for every other. */
    static String nameOf(Path stateDirectory) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(stateDirectory
                            .toAbsolutePath()
                            .normalize()
                            .toString()
                            .getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
