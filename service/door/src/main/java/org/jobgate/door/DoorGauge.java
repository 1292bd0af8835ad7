// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door;

import static java.util.Objects.requireNonNull;

import java.util.function.LongSupplier;

/**
 * One figure of a door, read when somebody asks.
 *
 * @param name in small letters, with dots; the metric is {@code jobgate.door.NAME} with the door as its label {@code door}
 * @param description one sentence without its full stop
 */
public record DoorGauge(String name, String description, LongSupplier value) {

    public DoorGauge {
        requireNonNull(name, "name is null");
        requireNonNull(description, "description is null");
        requireNonNull(value, "value is null");
    }
}
