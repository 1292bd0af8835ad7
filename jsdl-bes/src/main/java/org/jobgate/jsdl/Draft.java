// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import org.jobgate.job.JobDescription;
import org.jobgate.job.Resources;

/** A description whose parts are being changed. */
final class Draft {

    final JobDescription.Builder job;
    final Resources.Builder resources;

    Draft(JobDescription description) {
        job = description.toBuilder();
        Resources given = resources(description);
        resources = Resources.builder()
                .slots(given.slots())
                .slotsPerHost(given.slotsPerHost())
                .threadsPerProcess(given.threadsPerProcess())
                .wholeNodes(given.wholeNodes())
                .gpus(given.gpus())
                .memoryPerSlotMiB(given.memoryPerSlotMiB())
                .memoryMiB(given.memoryMiB())
                .limits(given.limits())
                .nodeFeatures(given.nodeFeatures())
                .hosts(given.hosts())
                .architecture(given.architecture())
                .operatingSystem(given.operatingSystem())
                .reservation(given.reservation())
                .preCommand(given.preCommand())
                .postCommand(given.postCommand())
                .mail(given.mail());
    }

    static Resources resources(JobDescription description) {
        Resources given = description.resources();
        return given == null ? Resources.NONE : given;
    }

    JobDescription build() {
        return job.resources(resources.build()).build();
    }
}
