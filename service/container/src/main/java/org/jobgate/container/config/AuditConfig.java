// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

/** The records of what became of each job. */
@Section(
        "The audit records (docs/operate/accounting.md): what became of each job, in a database of their own in the state directory.")
public record AuditConfig(
        @Setting(
                description =
                        "Whether jobs are recorded. What happens while they are not is recorded when they are again, as far as"
                                + " `store.keepFinished` reaches.",
                byDefault = "true")
        boolean enabled) {}
