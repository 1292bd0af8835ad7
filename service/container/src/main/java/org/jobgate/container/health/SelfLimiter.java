// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.health;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Says when the service has too much to do to take new jobs: when a measured value is over its threshold. What was measured is kept for a
 * while, so that a crowd of submissions costs one look.
 */
public final class SelfLimiter {

    private final List<Threshold> thresholds;
    private final Cached<Map<String, Double>> values;

    /**
     * A value and what it must not be over.
     *
     * @param setting the name of the setting that says it
     * @param what what is measured, in words, with its unit
     * @param most 0: no threshold, but the value is shown
     * @param source measures it now; NaN where that cannot be done
     */
    public record Threshold(String setting, String what, long most, Measure source) {

        public Threshold {
            requireNonNull(setting, "setting is null");
            requireNonNull(what, "what is null");
            requireNonNull(source, "source is null");
        }
    }

    /** Measures one value; NaN where that cannot be done. */
    @FunctionalInterface
    public interface Measure {
        double now();
    }

    /** @param kept for which a value is believed */
    public SelfLimiter(List<Threshold> thresholds, Duration kept, LongSupplier nanoTime) {
        this.thresholds = List.copyOf(thresholds);
        this.values = new Cached<>(this::measure, kept, nanoTime);
    }

    private Map<String, Double> measure() {
        Map<String, Double> measured = new LinkedHashMap<>();
        thresholds.forEach(threshold ->
                measured.put(threshold.setting(), threshold.source().now()));
        return measured;
    }

    /** All thresholds that are over, in one sentence; empty where none is. */
    public Optional<String> overload() {
        if (thresholds.stream().noneMatch(threshold -> threshold.most() > 0)) {
            return Optional.empty();
        }
        Map<String, Double> now = values.get();
        List<String> over = thresholds.stream()
                .filter(threshold -> isOver(threshold, now))
                .map(threshold -> "%s is %s (selfLimiter.%s = %d)"
                        .formatted(
                                threshold.what(), shown(value(threshold, now)), threshold.setting(), threshold.most()))
                .toList();
        return over.isEmpty()
                ? Optional.empty()
                : Optional.of(over.stream().collect(Collectors.joining(", ", "", ".")));
    }

    private static boolean isOver(Threshold threshold, Map<String, Double> now) {
        return threshold.most() > 0 && value(threshold, now) > threshold.most();
    }

    private static double value(Threshold threshold, Map<String, Double> now) {
        return now.getOrDefault(threshold.setting(), Double.NaN);
    }

    private static String shown(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.2f", value);
    }

    /** The value of a setting as it was measured last; NaN where that could not be done. */
    public double value(String setting) {
        return values.get().getOrDefault(setting, Double.NaN);
    }

    /** What is measured, and up to what. */
    public List<Threshold> thresholds() {
        return thresholds;
    }

    /** Shows the values; unwell never, for the service is: it says why it takes no new jobs, and what cannot be measured. */
    public HealthCheck check() {
        return () -> {
            Map<String, Double> now = values.get();
            Map<String, Object> figures = new LinkedHashMap<>();
            now.forEach((name, value) -> {
                if (!value.isNaN()) {
                    figures.put(name, value);
                }
            });
            String blind = thresholds.stream()
                    .filter(threshold -> threshold.most() > 0 && Double.isNaN(value(threshold, now)))
                    .map(threshold -> "selfLimiter." + threshold.setting() + " has no effect: " + threshold.what()
                            + " cannot be measured here.")
                    .collect(Collectors.joining(" "));
            String why = overload()
                    .map(over -> "New jobs are refused: " + over + (blind.isEmpty() ? "" : " " + blind))
                    .orElse(blind);
            return new HealthCheck.Finding(true, why, figures);
        };
    }
}
