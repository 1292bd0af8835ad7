// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;

/**
 * What a document says for people: names, descriptions, annotations. It changes nothing of how the job runs, and stays with the job as the
 * extension {@code jsdl}, so that it is written again.
 */
final class Labels {

    static final String EXTENSION = "jsdl";

    static final String ID = "id";
    static final String JOB_NAME = "JobName";
    static final String DESCRIPTION = "Description";
    static final String ANNOTATION = "JobAnnotation";

    /** The label of the project, at a site that gives no project to its LRMs. */
    static final String PROJECT = "JobProject";

    static final String APPLICATION_NAME = "ApplicationName";
    static final String APPLICATION_VERSION = "ApplicationVersion";
    static final String APPLICATION_DESCRIPTION = "ApplicationDescription";
    static final String VARIATION = "SPMDVariation";

    private final List<Extension> all = new ArrayList<>();

    void add(String name, String text) {
        all.add(new Extension(name, Map.of(), text, List.of()));
    }

    List<Extension> extensions() {
        return all.isEmpty() ? List.of() : List.of(new Extension(EXTENSION, Map.of(), "", all));
    }

    /** The labels of a job, if it came as a document of this language. */
    static List<Extension> of(JobDescription job) {
        return job.extensions().stream()
                .filter(extension -> extension.name().equals(EXTENSION))
                .flatMap(extension -> extension.children().stream())
                .toList();
    }

    /** The first label of this name. */
    static Optional<String> of(JobDescription job, String name) {
        return of(job).stream()
                .filter(label -> label.name().equals(name))
                .map(Extension::text)
                .findFirst();
    }
}
