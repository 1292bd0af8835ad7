// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jobgate.access.Access;
import org.jobgate.access.Delegations;
import org.jobgate.access.Jobs;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.authz.Decision;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.AccountTrees;
import org.jobgate.files.JobDirectories;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.limits.Limit;
import org.jobgate.notify.CallbackPolicy;
import org.jobgate.notify.ConsumerClient;
import org.jobgate.notify.Deliveries;
import org.jobgate.notify.DeliverySettings;
import org.jobgate.notify.JobChanges;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/** Makes what a door is given in a test. What a test does not name is there, but must not be used. */
public final class DoorContexts {

    private final String url;
    private DoorAddresses addresses;
    private Limit bodyBytes = new Limit("limits.maxBodyBytes", 4 * 1024 * 1024);
    private Access access = new Access(identity -> new Decision.Permit(List.of("account")));
    private Jobs jobs = new Jobs(unused(JobsBySubject.class));
    private JobStore store = unused(JobStore.class);
    private CallbackPolicy callbacks = new CallbackPolicy(Destinations.ofSite(new OwnPorts()));
    private Deliveries deliveries =
            new Deliveries(unused(ConsumerClient.class), callbacks, DeliverySettings.defaults(), Clock.systemUTC());
    private AccountFiles files = unused(AccountFiles.class);
    private JobDirectories directories = unused(JobDirectories.class);
    private AccountTrees trees = unused(AccountTrees.class);
    private @Nullable Delegations delegations;
    private Clock clock = Clock.systemUTC();

    private DoorContexts(String url) {
        this.url = requireNonNull(url);
        this.addresses = door -> Optional.of(url);
    }

    /** For a door whose URL this is: scheme, name and port. */
    public static DoorContexts at(String url) {
        return new DoorContexts(url);
    }

    private static <T> T unused(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    throw new IllegalStateException(
                            "the test gave the door no " + type.getSimpleName() + ", but it calls " + method);
                }));
    }

    /** Without this, every other door is where this one is. */
    public DoorContexts addresses(DoorAddresses used) {
        addresses = used;
        return this;
    }

    public DoorContexts bodyBytes(Limit limit) {
        bodyBytes = limit;
        return this;
    }

    public DoorContexts access(Access used) {
        access = used;
        return this;
    }

    public DoorContexts jobs(JobsBySubject used) {
        jobs = new Jobs(used);
        return this;
    }

    /** Keeps the door's records, and has the changes. */
    public DoorContexts store(JobStore used) {
        store = used;
        return this;
    }

    public DoorContexts deliveries(Deliveries used, CallbackPolicy policy) {
        deliveries = used;
        callbacks = policy;
        return this;
    }

    public <F extends AccountFiles & JobDirectories> DoorContexts files(F used) {
        files = used;
        directories = used;
        return this;
    }

    public DoorContexts trees(AccountTrees used) {
        trees = used;
        return this;
    }

    /** Without this, credentials cannot be delegated. */
    public DoorContexts delegations(Delegations used) {
        delegations = used;
        return this;
    }

    public DoorContexts clock(Clock used) {
        clock = used;
        return this;
    }

    public DoorContext make() {
        return new DoorContext(
                url,
                addresses,
                bodyBytes,
                access,
                jobs,
                store,
                JobChanges.of(store),
                deliveries,
                callbacks,
                files,
                directories,
                trees,
                delegations,
                clock,
                new SecureRandom());
    }
}
