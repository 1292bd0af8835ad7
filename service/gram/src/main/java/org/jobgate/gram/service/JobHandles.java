// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.jobs.JobEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * What GRAM4 tells the processes of a job (facts/gram4.md section 2.5): where their job is, and where the multi-job is that it is part
 * of, so that they can meet at its rendezvous; and, unless the job says otherwise, where Jobgate is installed and whom the site trusts.
 */
public final class JobHandles implements JobEnvironment {

    public static final String JOB = "GLOBUS_GRAM_JOB_HANDLE";
    public static final String MULTI_JOB = "GLOBUS_GRAM_MULTIJOB_HANDLE";

    private final @Nullable String services;
    private final String installation;
    private final String trustDirectory;

    /**
     * @param services what the addresses of the job services begin with; absent where their door is turned off: then jobs have no handle
     * @param trustDirectory the directory of the certificates of trusted authorities
     */
    public JobHandles(@Nullable String services, String installation, String trustDirectory) {
        this.services = services;
        this.installation = requireNonNull(installation, "installation is null");
        this.trustDirectory = requireNonNull(trustDirectory, "trustDirectory is null");
    }

    @Override
    public Map<String, String> of(Job job, @Nullable JobId multiJob, JobDescription description) {
        Map<String, String> variables = new LinkedHashMap<>();
        if (services != null) {
            variables.put(JOB, handle(services, Addresses.JOB, job.id()));
            if (multiJob != null) {
                variables.put(MULTI_JOB, handle(services, Addresses.MULTI_JOB, multiJob));
            }
        }
        putUnlessGiven(variables, description, "GLOBUS_LOCATION", installation);
        putUnlessGiven(variables, description, "X509_CERT_DIR", trustDirectory);
        return variables;
    }

    /** A job's address and id in one text (facts/gram4.md section 1.3). */
    private static String handle(String services, String service, JobId id) {
        return services + "/" + service + "?" + id;
    }

    private static void putUnlessGiven(
            Map<String, String> variables, JobDescription description, String name, String value) {
        if (description.environment().stream().noneMatch(given -> given.name().equals(name))) {
            variables.put(name, value);
        }
    }
}
