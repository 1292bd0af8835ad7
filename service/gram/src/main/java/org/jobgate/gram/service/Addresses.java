// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.Optional;
import org.jobgate.access.Jobs;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Gt4Mount;
import org.jobgate.job.Job;

/**
 * Where the services are, and how a resource behind them is referred to (facts/gram4.md sections 1.2 and 1.3).
 *
 * @param baseUrl what the addresses of the job services begin with
 * @param filesUrl what the addresses of files of jobs begin with; empty where they cannot be read over https
 * @param delegationUrl what the addresses of the delegation services begin with
 */
public record Addresses(String baseUrl, Optional<String> filesUrl, String delegationUrl, Generation generation) {

    public static final String FACTORY = "ManagedJobFactoryService";
    public static final String JOB = "ManagedExecutableJobService";
    public static final String MULTI_JOB = "ManagedMultiJobService";
    public static final String SUBSCRIPTION = "SubscriptionManagerService";
    private static final String DELEGATION_FACTORY = "DelegationFactoryService";

    public String of(String service) {
        return baseUrl + "/" + service;
    }

    /** The addresses that this door gives its clients. The delegation services are named even if they are turned off, because the schema demands it. */
    public static Addresses of(DoorContext door, Generation generation) {
        DoorAddresses others = door.addresses();
        return new Addresses(
                Gt4Mount.baseUrl(door.url()),
                others.url(DoorAddresses.FILES).map(url -> url + "/jobs"),
                Gt4Mount.baseUrl(others.url(DoorAddresses.DELEGATION).orElse(door.url())),
                generation);
    }

    /** Where a file of a job can be read. */
    public Optional<String> file(String job, String name) {
        return filesUrl.map(url -> url + "/" + job + "/" + name);
    }

    /** Where proxies are delegated. */
    public String delegationFactory() {
        return delegationUrl + "/" + DELEGATION_FACTORY;
    }

    public EndpointReference job(String id) {
        return EndpointReference.of(of(JOB), generation.job("ResourceID"), id);
    }

    public EndpointReference job(Job job) {
        return EndpointReference.of(
                of(serviceOf(job)), generation.job("ResourceID"), job.id().toString());
    }

    /** The service that the job is behind. */
    public static String serviceOf(Job job) {
        return job.lrm().equals(Jobs.MULTI) ? MULTI_JOB : JOB;
    }

    public EndpointReference subscription(String key) {
        return EndpointReference.of(of(SUBSCRIPTION), generation.core("SubscriptionKey"), key);
    }
}
