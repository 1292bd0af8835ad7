// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.net.URI;
import org.jobgate.access.Jobs;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;

/** Where the services are, and how a resource behind them is referred to (facts/gram4.md sections 1.2 and 1.3). */
public record Addresses(String baseUrl, Generation generation) {

    public static final String FACTORY = "ManagedJobFactoryService";
    public static final String JOB = "ManagedExecutableJobService";
    public static final String MULTI_JOB = "ManagedMultiJobService";
    public static final String SUBSCRIPTION = "SubscriptionManagerService";
    public static final String DELEGATION_FACTORY = "DelegationFactoryService";

    public String of(String service) {
        return baseUrl + "/" + service;
    }

    /** Where the container's door to the files of jobs is: beside that of the services. */
    public String file(String job, String name) {
        return URI.create(baseUrl).resolve("/jobs/" + job + "/" + name).toString();
    }

    public EndpointReference job(String id) {
        return EndpointReference.of(of(JOB), generation.job("ResourceID"), id);
    }

    public EndpointReference job(Job job) {
        return EndpointReference.of(
                of(serviceOf(job)), generation.job("ResourceID"), job.id().toString());
    }

    /** A job's address and id in one text, as its processes are told it (facts/gram4.md section 1.3). */
    public String handle(String service, JobId id) {
        return of(service) + "?" + id;
    }

    /** The service that the job is behind. */
    public static String serviceOf(Job job) {
        return job.lrm().equals(Jobs.MULTI) ? MULTI_JOB : JOB;
    }

    public EndpointReference subscription(String key) {
        return EndpointReference.of(of(SUBSCRIPTION), generation.core("SubscriptionKey"), key);
    }
}
