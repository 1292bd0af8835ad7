// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import org.jobgate.delegation.vault.VaultSettings;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlLimits;

/**
 * What delegation needs to know about its installation.
 *
 * @param siteKeyFile the key that credentials are sealed with; made if it is not there
 * @param readyKeys key pairs that are made ahead
 * @param pendingKeys keys that may wait for a proxy to be signed
 * @param pendingKeysPerOwner the same of one subject
 * @param sweep the time between two looks for credentials that are over
 * @param xml how much XML one request may hold
 * @param queries what a query of resource properties may cost
 * @param version told to clients that ask
 */
public record DelegationSettings(
        Path siteKeyFile,
        int readyKeys,
        Limit pendingKeys,
        Limit pendingKeysPerOwner,
        VaultSettings vault,
        Duration sweep,
        XmlLimits xml,
        QueryLimits queries,
        String version) {

    public DelegationSettings {
        requireNonNull(siteKeyFile, "siteKeyFile is null");
        requireNonNull(pendingKeys, "pendingKeys is null");
        requireNonNull(pendingKeysPerOwner, "pendingKeysPerOwner is null");
        requireNonNull(vault, "vault is null");
        requireNonNull(sweep, "sweep is null");
        requireNonNull(xml, "xml is null");
        requireNonNull(queries, "queries is null");
        requireNonNull(version, "version is null");
    }
}
