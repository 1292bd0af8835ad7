// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.lrm.LrmThrottle;
import org.jspecify.annotations.Nullable;

/** One local resource manager. */
@Section("The local resource managers (batch systems), a list; the first is the default.")
public record LrmConfig(
        @Setting(description = "The name by which clients ask for it.", byDefault = "Fork", tier = Tier.ESSENTIAL)
        String name,

        @Setting(
                description =
                        "The adapter that drives it: `fork` runs jobs on this machine, `condor` in an HTCondor pool, `slurm` in Slurm, `sge` in Grid Engine, `pbs` in TORQUE, OpenPBS or PBS Pro; `gateway` gives them to another gateway.",
                byDefault = "fork",
                tier = Tier.ESSENTIAL)
        String adapter,

        @Setting(
                description =
                        "Whether the adapter is a module that the site has for GRAM, `Globus::GRAM::JobManager::<adapter>`, which is"
                                + " run as it is. See `docs/operate/legacy-adapters.md`.",
                byDefault = "false")
        boolean legacy,

        @Setting(
                description =
                        "How many jobs of one account run at a time; the others wait. Only for adapters whose LRM has no limit of its own, as fork.",
                byDefault = "1000",
                min = "1",
                max = "1000000",
                tier = Tier.ESSENTIAL)
        int maxRunning,

        @Setting(
                description =
                        "Directory in which an account's jobs are looked after, as that account sees it: `~` is its home,"
                                + " `$${account}` its name. Without it: below `~/.jobgate/`, by a name made from the state directory, so that"
                                + " several gateways on one machine do not meet. No two LRMs have the same one.")
        @Nullable
        String spool,

        @Setting(description = "The Perl that runs the adapter.", byDefault = "/usr/bin/perl")
        Path perl,

        @Setting(
                description = "The program that runs the adapter as another account.",
                byDefault = "/usr/bin/sudo",
                tier = Tier.RARE)
        Path sudo,

        @Setting(
                description = "Jobs that are given to the LRM in one request.",
                byDefault = "100",
                min = "1",
                max = "10000",
                tier = Tier.RARE)
        int batchLimit,

        @Setting(
                description = "How long an answer of the adapter is waited for.",
                byDefault = "1m",
                min = "1s",
                max = "1h",
                tier = Tier.RARE)
        Duration requestTimeout,

        @Setting(
                description = "The adapter of an account without requests and live jobs is ended after this time.",
                byDefault = "10m",
                min = "1s",
                max = "7d",
                tier = Tier.RARE)
        Duration idleEnd,

        @Setting(
                description = "From the friendly signal to the hard one when a job is ended.",
                byDefault = "5s",
                min = "1ms",
                max = "1h")
        Duration grace,

        @Setting(
                description =
                        "Submissions to the LRM that may be under way at once; `0`: as many as `workers.submit` allows.",
                byDefault = "0",
                min = "0",
                max = "256")
        int submitsAtOnce,

        @Setting(
                description =
                        "Jobs that wait or run in the LRM at a time, of all owners together; more wait in the gateway, in order, owners by"
                                + " turns. `0`: no limit.",
                byDefault = "0",
                min = "0",
                max = "1000000")
        int maxJobs,

        @Setting(
                description = "The same for the jobs of one owner. `0`: no limit.",
                byDefault = "0",
                min = "0",
                max = "1000000")
        int maxJobsPerOwner,

        @Setting(
                description = "The same for the jobs of one queue; jobs that name none count together. `0`: no limit.",
                byDefault = "0",
                min = "0",
                max = "1000000")
        int maxJobsPerQueue,

        @Setting(
                description =
                        "Between two questions to an LRM that has to be asked what became of its jobs. The adapter's option"
                                + " `poll_interval` (seconds), where it is given, goes first.",
                byDefault = "5s",
                min = "100ms",
                max = "1h")
        Duration pollInterval,

        @Setting(
                description = "Between two questions for the LRM's queues and their limits; `0s`: it is never asked.",
                byDefault = "1m",
                min = "0s",
                max = "1d",
                tier = Tier.RARE)
        Duration queueInterval,

        @Setting(
                description =
                        "Whether a job is refused at once that the LRM cannot run by its own word: an unknown queue, over the queue's wall"
                                + " time or processors. Set it to `false` where the LRM hides queues from the gateway's account.",
                byDefault = "true",
                tier = Tier.RARE)
        boolean earlyRefusal,

        @Setting(
                description =
                        "A scheduler event generator of the site's that tells what becomes of the jobs, in place of the adapter's own"
                                + " watch: program and arguments; `-t` and a time are added. See `docs/operate/lrms.md`.",
                byDefault = "",
                tier = Tier.RARE)
        List<String> segCommand,

        @Setting(
                description =
                        "File to which what becomes of the jobs is written in the lines of a scheduler event generator.",
                tier = Tier.RARE)
        @Nullable
        Path segLog,

        @Setting(
                description =
                        "File of variables for job descriptions, one `NAME=text` a line; a text may name other variables as"
                                + " `$${NAME}`.")
        @Nullable
        Path substitutionDefinitions,

        @Setting(
                description = "The file is read again after this time.",
                byDefault = "8h",
                min = "1s",
                max = "7d",
                tier = Tier.RARE)
        Duration substitutionRefresh,

        @Setting(
                description =
                        "Settings that only this adapter knows, each as `name=value`; see `htcondor.md`, `slurm.md`, `sge.md` and `pbs.md` in `docs/internals`, and `docs/operate/other-gateways.md`.",
                byDefault = "",
                tier = Tier.RARE)
        List<String> options) {

    public LrmConfig {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")) {
            throw new IllegalArgumentException(
                    "name must be 1 to 64 letters, digits, dots, dashes or underscores: " + name);
        }
        for (String option : options) {
            if (!option.matches("[a-z][a-z0-9_]{0,63}=.*")) {
                throw new IllegalArgumentException(
                        "options must each be name=value, with a name of small letters, digits and underscores: "
                                + option);
            }
        }
        options = List.copyOf(options);
        segCommand = List.copyOf(segCommand);
        if (!segCommand.isEmpty() && !segCommand.getFirst().startsWith("/")) {
            throw new IllegalArgumentException(
                    "segCommand must begin with the full path of a program: " + segCommand.getFirst());
        }
    }

    /** How much of the LRM the gateway may use. */
    public LrmThrottle throttle() {
        return new LrmThrottle(submitsAtOnce, batchLimit, maxJobs, maxJobsPerOwner, maxJobsPerQueue, pollInterval);
    }

    /** The Perl module below {@code Jobgate::Adapter}, in lower case. */
    public String perlAdapter() {
        return legacy ? "legacy" : adapter;
    }

    /** The options by name; for a site's own module its name is one of them. */
    public Map<String, String> optionsByName() {
        Stream<String> module = legacy ? Stream.of("module=" + adapter) : Stream.empty();
        return Stream.concat(options.stream(), module)
                .map(option -> option.split("=", 2))
                .collect(Collectors.toUnmodifiableMap(
                        option -> option[0], option -> option[1], (first, second) -> second));
    }
}
