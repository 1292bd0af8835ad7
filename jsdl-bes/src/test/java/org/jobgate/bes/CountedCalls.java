// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.jobs.GroupsBySubject;
import org.jobgate.jobs.JobsBySubject;

/** An engine that is counted: each of its calls is at least one question to the store, or one transaction. */
final class CountedCalls {

    private final Map<String, Integer> calls = new ConcurrentHashMap<>();
    private final JobsBySubject engine;
    private final GroupsBySubject groups;

    CountedCalls(JobsBySubject engine) {
        this.groups = counted(GroupsBySubject.class, engine.groups(), "groups.");
        this.engine = counted(JobsBySubject.class, engine, "");
    }

    private <T> T counted(Class<T> type, T behind, String prefix) {
        return type.cast(Proxy.newProxyInstance(
                CountedCalls.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("groups")) {
                        return groups;
                    }
                    calls.merge(prefix + method.getName(), 1, Integer::sum);
                    try {
                        return method.invoke(behind, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    JobsBySubject engine() {
        return engine;
    }

    /** How often each was called since it was asked last. */
    Map<String, Integer> taken() {
        Map<String, Integer> now = Map.copyOf(calls);
        calls.clear();
        return now;
    }
}
