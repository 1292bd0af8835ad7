// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.util.EnumMap;
import java.util.Map;
import org.jobgate.container.config.GramConfig;
import org.jobgate.gram.service.BulkLimits;
import org.jobgate.gram.service.LifetimeRules;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlLimits;

/** The section {@code gram} of the configuration, as the GRAM4 door takes it. */
final class GramLimits {

    private GramLimits() {}

    /** The rules for the lifetimes of jobs, by whose clients submitted them. */
    static Map<Generation, LifetimeRules> lifetimes(GramConfig config) {
        Map<Generation, LifetimeRules> rules = new EnumMap<>(Generation.class);
        rules.put(
                Generation.GT40,
                new LifetimeRules(config.keepAfterEndGt40(), config.maxJobLifetimeGt40(), config.defaultJobLifetime()));
        rules.put(
                Generation.GT42,
                new LifetimeRules(config.keepAfterEnd(), config.maxJobLifetime(), config.defaultJobLifetime()));
        return rules;
    }

    static BulkLimits bulk(GramConfig config) {
        return new BulkLimits(
                new Limit("gram.maxBulkJobs", config.maxBulkJobs()),
                new Limit("gram.maxListedJobs", config.maxListedJobs()));
    }

    static QueryLimits query(GramConfig config) {
        return new QueryLimits(
                new Limit("gram.maxQueryCharacters", config.maxQueryCharacters()),
                new Limit("gram.maxQueryNesting", config.maxQueryNesting()),
                new Limit("gram.maxQueryVisits", config.maxQueryVisits()),
                new Limit("gram.maxQueryResultCharacters", config.maxQueryResultCharacters()),
                config.maxQueryTime());
    }

    static XmlLimits xml(GramConfig config) {
        return new XmlLimits(
                new Limit("gram.maxXmlElements", config.maxXmlElements()),
                new Limit("gram.maxXmlDepth", config.maxXmlDepth()),
                new Limit("gram.maxXmlAttributes", config.maxXmlAttributes()),
                new Limit("gram.maxXmlTextCharacters", config.maxXmlTextCharacters()));
    }
}
