// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.health;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the service is well: all checks together. They run side by side, each for {@value #MAX_SECONDS} seconds at most; a check
 * that takes longer counts as unwell. A report is kept for {@value #KEPT_SECONDS} seconds, so that asking often costs nothing.
 */
public final class Health {

    static final int MAX_SECONDS = 5;
    static final int KEPT_SECONDS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(Health.class);

    private final Map<String, HealthCheck> checks;
    private final BooleanSupplier draining;
    private final ExecutorService executor;
    private final Cached<Map<String, HealthCheck.Finding>> findings;

    /** How the service is. */
    public enum Status {
        WELL,
        UNWELL,
        /** All is well, but no new jobs are taken. */
        DRAINING;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Prepares to look.
     *
     * @param checks by name, in the order in which they are shown
     * @param draining whether no new jobs are taken
     * @param executor runs the checks; each on its own thread
     */
    public Health(
            Map<String, HealthCheck> checks,
            BooleanSupplier draining,
            ExecutorService executor,
            LongSupplier nanoTime) {
        this.checks = new LinkedHashMap<>(checks);
        this.draining = requireNonNull(draining, "draining is null");
        this.executor = requireNonNull(executor, "executor is null");
        this.findings = new Cached<>(this::look, Duration.ofSeconds(KEPT_SECONDS), nanoTime);
    }

    /** How the service is now, or was at most two seconds ago. */
    public Report report() {
        Map<String, HealthCheck.Finding> found = findings.get();
        boolean well = found.values().stream().allMatch(HealthCheck.Finding::well);
        return new Report(!well ? Status.UNWELL : draining.getAsBoolean() ? Status.DRAINING : Status.WELL, found);
    }

    private Map<String, HealthCheck.Finding> look() {
        Map<String, Future<HealthCheck.Finding>> running = new LinkedHashMap<>();
        checks.forEach(
                (name, check) -> running.put(name, executor.submit((Callable<HealthCheck.Finding>) check::look)));
        Map<String, HealthCheck.Finding> found = new LinkedHashMap<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
        running.forEach((name, future) -> found.put(name, await(name, future, end)));
        return found;
    }

    private static HealthCheck.Finding await(String name, Future<HealthCheck.Finding> future, long end) {
        try {
            return future.get(Math.max(end - System.nanoTime(), 0), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            future.cancel(true);
            return HealthCheck.Finding.unwell("The look at " + name + " took longer than " + MAX_SECONDS + " seconds.");
        } catch (ExecutionException e) {
            LOG.warn("The health check of {} failed", name, e.getCause());
            return HealthCheck.Finding.unwell("The look at " + name + " failed; the log says why.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return HealthCheck.Finding.unwell("The look at " + name + " was interrupted.");
        }
    }

    /** What was found. */
    public record Report(Status status, Map<String, HealthCheck.Finding> findings) {

        /** In the shape of the JSON that is shown. */
        public Map<String, Object> asMap() {
            Map<String, Object> shown = new LinkedHashMap<>();
            findings.forEach((name, finding) -> {
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("well", finding.well());
                if (!finding.why().isEmpty()) {
                    one.put("why", finding.why());
                }
                one.putAll(finding.figures());
                shown.put(name, one);
            });
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("status", status.toString());
            all.put("checks", shown);
            return all;
        }
    }
}
