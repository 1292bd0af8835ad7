// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.jobgate.gram.jdd.Variables;

/**
 * The variables that every GRAM4 service has (facts/gram4.md section 2.2): {@code GLOBUS_USER_HOME}, {@code GLOBUS_USER_NAME},
 * {@code GLOBUS_SCRATCH_DIR} and {@code GLOBUS_LOCATION}.
 */
public final class StandardVariables implements AccountVariables {

    private static final String DEFAULT_SCRATCH = "/.globus/scratch";

    private final FactoryFacts facts;
    private final AccountHomes homes;

    public StandardVariables(FactoryFacts facts, AccountHomes homes) {
        this.facts = requireNonNull(facts, "facts is null");
        this.homes = requireNonNull(homes, "homes is null");
    }

    @Override
    public Variables of(String account) {
        return name -> switch (name) {
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
