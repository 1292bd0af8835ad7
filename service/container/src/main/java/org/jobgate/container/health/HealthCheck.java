// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.health;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/** One part of the service that can be well or not. */
@FunctionalInterface
public interface HealthCheck {

    Finding look();

    /**
     * What a look found.
     *
     * @param why what is wrong and what to do; empty where nothing is
     * @param figures numbers worth showing, by name
     */
    record Finding(boolean well, String why, Map<String, Object> figures) {
        public Finding {
            requireNonNull(why, "why is null");
            figures = Map.copyOf(figures);
        }

        public static Finding well(Map<String, Object> figures) {
            return new Finding(true, "", figures);
        }

        public static Finding unwell(String why) {
            return new Finding(false, why, Map.of());
        }
    }
}
