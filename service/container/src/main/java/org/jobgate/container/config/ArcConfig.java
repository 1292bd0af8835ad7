// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The door of ARC's REST interface. */
@Section("ARC's REST interface (`/arex/rest`), which ARC's commands, pyarcrest and HTCondor's grid type `arc` use.")
public record ArcConfig(
        @Setting(
                description =
                        "The directory in which each job that comes by this door has its session directory, below the home of the account. "
                                + "The hosts that run jobs must see it.",
                byDefault = ".jobgate/arc")
        String sessions,

        @Setting(
                description =
                        "How long a job waits for the files that its client is to put into its session directory. Then it is ended, and its error "
                                + "names the file that did not come.",
                byDefault = "12h",
                min = "1s",
                max = "30d")
        Duration inputWait,

        @Setting(
                description =
                        "How long a job that was submitted by a key and has run stays after its client has cleaned it: HTCondor cleans a job before"
                                + " it has taken the job off its own queue, and asks for the job once more when it was killed between the two."
                                + " Zero: it goes at once.",
                byDefault = "15m",
                min = "0s",
                max = "7d")
        Duration keepCleaned,

        @Setting(
                description =
                        "The largest list of jobs that one request may name; 64 MiB are more than a million jobs.",
                byDefault = "64MiB",
                min = "1KiB",
                max = "1GiB",
                tier = Tier.RARE)
        DataSize maxIdList,

        @Setting(
                description =
                        "Less memory than this, in MiB for each slot, counts as not asked for: HTCondor fills in the size of the program where its "
                                + "user asks for none.",
                byDefault = "64",
                min = "0",
                max = "1048576")
        long memoryFloor,

        @Setting(
                description =
                        "A directory with the runtime environments of the site: `APPS/X-1.0` in it is that environment. A program of this name runs"
                                + " before the job's own, where the job runs, with the options of the job as arguments; a file `APPS/X-1.0.env` beside it,"
                                + " or instead of it, has variables for the job, each as `NAME=VALUE` on a line of its own. If none is given, there are no"
                                + " environments but `ENV/PROXY`.")
        @Nullable
        Path runtimeEnvironments,

        @Setting(
                description =
                        "Whether the LRMs send mail about jobs. Where they do not, a job that asks for mail (Notification) is told that there is none.",
                byDefault = "false")
        boolean sendsMail) {

    public ArcConfig {
        if (!sessions.matches("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*") || sessions.contains("..")) {
            throw new IllegalArgumentException("arc.sessions is " + sessions
                    + "; it must be a path below the home of an account, such as .jobgate/arc");
        }
    }
}
