// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

/**
 * One variable of a job's environment.
 *
 * @param name neither empty nor holding {@code =} or NUL
 * @param value any text without NUL
 */
public record EnvironmentVariable(String name, String value) {

    public EnvironmentVariable {
        requireNonNull(name, "name is null");
        requireNonNull(value, "value is null");
        if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "not a name of an environment variable: '" + name.replace('\0', '?') + "'");
        }
        if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "the value of the environment variable " + name + " holds a NUL character");
        }
    }
}
