// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import org.jobgate.gram.jdd.Variables;

/**
 * The variables that every GRAM4 service has (facts/gram4.md section 2.2): {@code GLOBUS_USER_HOME}, {@code GLOBUS_USER_NAME},
 * {@code GLOBUS_SCRATCH_DIR} and {@code GLOBUS_LOCATION}; and what the site defines for each LRM, which cannot redefine those.
 */
public final class StandardVariables implements AccountVariables {

    private static final String DEFAULT_SCRATCH = "/.globus/scratch";

    private final FactoryFacts facts;
    private final AccountHomes homes;
    private final Map<String, SiteDefinitions> sites;

    /** @param sites what the site defines, by the LRM's name; others have no definitions */
    public StandardVariables(FactoryFacts facts, AccountHomes homes, Map<String, SiteDefinitions> sites) {
        this.sites = Map.copyOf(sites);
        this.facts = requireNonNull(facts, "facts is null");
        this.homes = requireNonNull(homes, "homes is null");
    }

    /** Where scratch directories are made, as job descriptions may name it. */
    static String scratchBase(FactoryFacts facts) {
        String configured = facts.scratchBaseDirectory();
        return configured != null ? configured : "${GLOBUS_USER_HOME}" + DEFAULT_SCRATCH;
    }

    @Override
    public Variables of(String account) {
        return name -> standard(account, name);
    }

    @Override
    public Variables of(String account, String lrm) {
        SiteDefinitions context = sites.get(lrm);
        if (context == null) {
            return of(account);
        }
        return new Variables() {
            @Override
            public Optional<String> value(String name) {
                return standard(account, name);
            }

            @Override
            public Optional<String> definition(String name) {
                return context.find(name);
            }
        };
    }

    private Optional<String> standard(String account, String name) {
        return switch (name) {
            case "GLOBUS_USER_HOME" -> homes.home(account);
            case "GLOBUS_USER_NAME" -> Optional.of(account);
            case "GLOBUS_LOCATION" -> Optional.of(facts.installation());
            case "GLOBUS_SCRATCH_DIR" ->
                Optional.ofNullable(facts.scratchBaseDirectory())
                        .or(() -> homes.home(account).map(home -> home + DEFAULT_SCRATCH));
            default -> Optional.empty();
        };
    }
}
