// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The records of what became of each job. */
@Section(
        "The audit records (docs/operate/accounting.md): what became of each job, in a database of their own in the state directory.")
public record AuditConfig(
        @Setting(
                description =
                        "Whether jobs are recorded. What happens while they are not is recorded when they are again, as far as"
                                + " `store.keepFinished` reaches.",
                byDefault = "true")
        boolean enabled,

        @Setting(
                description =
                        "How long the record of a job is kept after its end, such as `730d`; where it is not set, for ever. Taken out a little at"
                                + " a time while the gateway runs; `jobgate audit verify` goes on to find tampering.",
                min = "1d",
                max = "36500d")
        @Nullable
        Duration keepRecords,

        @Setting(
                description =
                        "How long after its end the record of a job names people, such as `90d`; where it is not set, as long as it is kept. Then"
                                + " owner and account become pseudonyms, the same for the same person, and the description and what else"
                                + " may name somebody is taken out.",
                min = "1d",
                max = "36500d")
        @Nullable
        Duration keepNames) {}
