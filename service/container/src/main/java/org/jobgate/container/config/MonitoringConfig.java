// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

/** The settings that say who may see the state of the service. */
@Section("Who may see how the service is, at /health and /metrics.")
public record MonitoringConfig(
        @Setting(
                description =
                        "`protected` answers callers with a certificate or token that is let in, wherever they are; `open` answers"
                                + " everybody who reaches the port.",
                byDefault = "protected")
        Access access) {

    /** Who may see /health and /metrics. */
    public enum Access {
        PROTECTED,
        OPEN
    }
}
