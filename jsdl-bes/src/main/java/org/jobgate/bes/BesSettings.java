// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlLimits;

/**
 * What a site decides about this door.
 *
 * @param administrators the subjects who may stop and start the acceptance of new activities
 * @param identifiers activities that one request may name
 * @param references activities that the factory's attributes list
 * @param points points of a sweep that the answer to its creation lists
 * @param jobs what one activity may ask for
 * @param xml how big one request may be as XML
 */
public record BesSettings(
        Set<String> administrators, Limit identifiers, Limit references, Limit points, JobLimits jobs, XmlLimits xml) {

    public BesSettings {
        administrators = Set.copyOf(administrators);
        requireNonNull(identifiers, "identifiers is null");
        requireNonNull(references, "references is null");
        requireNonNull(points, "points is null");
        requireNonNull(jobs, "jobs is null");
        requireNonNull(xml, "xml is null");
    }

    /** Without administrators. */
    public static BesSettings defaults() {
        return new BesSettings(
                Set.of(),
                new Limit("bes.maxIdentifiers", 2_000),
                new Limit("bes.maxActivityReferences", 100),
                new Limit("bes.maxListedPoints", 1_000),
                JobLimits.defaults(),
                XmlLimits.defaults());
    }
}
