// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;

/** The part of a store that keeps records, in memory; every other call on it fails the test. */
final class RecordStore {

    final Map<String, DoorRecord> records = new ConcurrentHashMap<>();

    JobStore store() {
        InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
            case "putRecord" -> {
                DoorRecord kept = (DoorRecord) arguments[0];
                records.put(kept.kind() + " " + kept.id(), kept);
                yield CompletableFuture.completedFuture(null);
            }
            case "findRecord" -> Optional.ofNullable(records.get(arguments[0] + " " + arguments[1]));
            default -> throw new UnsupportedOperationException(method.getName());
        };
        return (JobStore)
                Proxy.newProxyInstance(JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, handler);
    }
}
