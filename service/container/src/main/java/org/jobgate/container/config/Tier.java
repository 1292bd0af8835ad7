// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

/** How often a setting is touched. */
public enum Tier {
    /** Every installation sets it or should know it. */
    ESSENTIAL,
    /** Many installations do. */
    COMMON,
    /** Hardly any does. */
    RARE
}
