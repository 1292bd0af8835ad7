// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moving the files of jobs. */
@Section(
        "Fetching, sending and deleting the files of jobs (fileStageIn, fileStageOut, fileCleanUp, URLs as input and output).")
public record StagingConfig(
        @Setting(
                description = "Whether files are moved at all; if not, jobs that ask for it are refused.",
                byDefault = "true")
        boolean enabled,

        @Setting(
                description =
                        "Transfers over networks on their way at the same time. Owners who wait share them: who has more than an equal"
                                + " part gives back.",
                byDefault = "30",
                min = "1",
                max = "10000")
        long maxActive,

        @Setting(
                description =
                        "Copies and deletions that stay on this machine, at the same time; they never wait for the others.",
                byDefault = "10",
                min = "1",
                max = "10000")
        long maxActiveLocal,

        @Setting(
                description =
                        "How long a transfer keeps its place though its owner has more than an equal part of the places and others"
                                + " wait. Then the one that moves least gives its place back, and goes on later from where it came.",
                byDefault = "30s",
                min = "0s",
                max = "1h",
                tier = Tier.RARE)
        Duration shareAfter,

        @Setting(description = "Those of one subject, of either kind.", byDefault = "20", min = "1", max = "10000")
        long maxActivePerOwner,

        @Setting(
                description = "Those to or from one server; shared like all.",
                byDefault = "20",
                min = "1",
                max = "10000")
        long maxActivePerServer,

        @Setting(
                description = "The same of one fileStageIn or fileStageOut that does not say its own `concurrency`.",
                byDefault = "4",
                min = "1",
                max = "1000")
        int concurrency,

        @Setting(
                description = "The greatest `concurrency` that a job gets, whatever it asks for.",
                byDefault = "10",
                min = "1",
                max = "1000")
        long maxActivePerRequest,

        @Setting(
                description = "Attempts at one transfer where the job does not say `maxAttempts`.",
                byDefault = "5",
                min = "1",
                max = "1000")
        int attempts,

        @Setting(
                description = "The greatest `maxAttempts` that a job gets, whatever it asks for.",
                byDefault = "20",
                min = "1",
                max = "1000")
        long maxAttempts,

        @Setting(
                description =
                        "After a failed attempt the next one is made after this time, doubled with every further failure and varied"
                                + " by chance.",
                byDefault = "2s",
                min = "10ms",
                max = "1h")
        Duration firstRetry,

        @Setting(
                description = "The longest time between two attempts.",
                byDefault = "5m",
                min = "10ms",
                max = "1d",
                tier = Tier.RARE)
        Duration slowestRetry,

        @Setting(
                description =
                        "A server that failed so often in a row is left alone for a while; that costs the waiting transfers no attempts.",
                byDefault = "3",
                min = "1",
                max = "1000",
                tier = Tier.RARE)
        int failuresToPause,

        @Setting(
                description = "An attempt that moves nothing for so long has failed.",
                byDefault = "1m",
                min = "1s",
                max = "1h")
        Duration idleTimeout,

        @Setting(
                description =
                        "Bytes that an attempt must move in each second, measured over one and a half `idleTimeout`s from its first byte"
                                + " on. One that moves less has failed, and is tried again later from where it came. 0 asks for none.",
                byDefault = "1KiB",
                min = "0B",
                max = "1GiB")
        DataSize leastRate,

        @Setting(
                description =
                        "How often it is written down how far a transfer has come; after a restart it goes on from there.",
                byDefault = "5s",
                min = "100ms",
                max = "10m",
                tier = Tier.RARE)
        Duration markInterval,

        @Setting(
                description = "Files and directories in all directories that one job stages.",
                byDefault = "100000",
                min = "1",
                max = "10000000",
                tier = Tier.RARE)
        long maxEntries,

        @Setting(
                description =
                        "Whether what there is of the output files of a job that fails after its start is sent; `stageOutOnFailure` of a"
                                + " job goes before it.",
                byDefault = "false")
        boolean stageOutOnFailure,

        @Setting(
                description =
                        "Whose output is sent while the job runs, bit by bit: nobody's; that of jobs that ask for it (`incrementalOutput`,"
                                + " `incremental`); or also that of every job whose `stdout` or `stderr` is a URL that can be appended to, unless"
                                + " it says no.",
                byDefault = "asked")
        Incremental incremental,

        @Setting(
                description = "How often a file that is sent while the job runs is looked at.",
                byDefault = "10s",
                min = "100ms",
                max = "1h")
        Duration incrementalInterval,

        @Setting(
                description =
                        "The most bytes of such a file that are read and sent in one turn; where there are more, its next turn comes after those"
                                + " of others.",
                byDefault = "16MiB",
                min = "1KiB",
                max = "1GiB",
                tier = Tier.RARE)
        DataSize incrementalBytes,

        @Setting(description = "Such files of one job.", byDefault = "16", min = "1", max = "1000", tier = Tier.RARE)
        long incrementalFiles,

        @Setting(
                description =
                        "Requests to move files that clients of RFT have made, until they are destroyed or their time is up.",
                byDefault = "10000",
                min = "1",
                max = "1000000")
        long maxRequests,

        @Setting(description = "The same of one subject.", byDefault = "1000", min = "1", max = "1000000")
        long maxRequestsPerOwner,

        @Setting(description = "Files that one such request may name.", byDefault = "10000", min = "1", max = "100000")
        long maxRequestFiles,

        @Setting(
                description = "How long such a request is kept at the most; one that asks for no end is kept so long.",
                byDefault = "30d",
                min = "1m",
                max = "3650d")
        Duration maxRequestLifetime,

        @Setting(
                description =
                        "File servers that reach the files of this machine, each as `PATH=URL`, e.g. `/home=gsiftp://ftp.example.org/export/home`:"
                                + " transfers between a local file below the path and another GridFTP server go through one of them instead of"
                                + " through the service. `LRM:PATH=URL` is for the jobs of that LRM only. The longest path counts; several for"
                                + " the same path share the load.",
                byDefault = "")
        List<String> servers,

        @Setting(
                description =
                        "More of them, from a file of the form that GRAM4 had (`fileSystemMaps`). See `docs/reference/staging.md`.")
        @Nullable
        Path fileSystemMaps,

        @Setting(
                description =
                        "Which of several servers is taken: each in its turn, one by chance, or the one with the fewest transfers. Those that do not"
                                + " answer are left out.",
                byDefault = "round-robin")
        ServerSelection serverSelection,

        @Setting(
                description =
                        "The name of a plug-in (`ServerChoiceProvider`) beside the server's jars that chooses instead. See `docs/reference/staging.md`.",
                tier = Tier.RARE)
        @Nullable
        String serverPlugIn,

        @Setting(
                description = "How often each of these servers is asked whether it answers.",
                byDefault = "30s",
                min = "1s",
                max = "1d",
                tier = Tier.RARE)
        Duration serverProbeInterval,

        @Setting(
                description =
                        "Ports of this machine that GridFTP servers may connect to, as `50000-50100`, or `any`: small files then come over connections"
                                + " that stay open, with half the work. Without it the service connects to the servers for each file.",
                tier = Tier.RARE)
        @Nullable
        String dataPorts,

        @Setting(
                description =
                        "The kinds of URLs that files are moved with: of `file`, `https`, `gsiftp`, `sftp` and `ftp`. `ftp` is not encrypted. `sftp`"
                                + " serves `scp:` URLs as well. Jobs that name another are refused. `s3` and `http` are not named here: they are there"
                                + " where `s3Endpoint` and `httpHosts` are set.",
                byDefault = "file,https,gsiftp,sftp")
        List<String> protocols,

        @Setting(
                description =
                        "The hosts that `http:` URLs may name, each as `HOST`, `HOST:PORT` or `*.DOMAIN` (port 80 where none is said). What comes from"
                                + " them is not encrypted, and anybody on the way can change it; no credential is sent to them. Without it there is no"
                                + " `http:`.",
                byDefault = "")
        List<String> httpHosts,

        @Setting(
                description =
                        "What files between two gateways are packed with on their way where the transfer has no option `compress`: `never`, `auto`, `always`,"
                                + " or a codec (`zstd`, `gzip`, `zip`, `bzip2`), with a level as in `zstd:3`. See `docs/reference/staging.md`.",
                byDefault = "never")
        String compress,

        @Setting(
                description =
                        "The codecs that `auto` chooses from by the speed of the network, each with a level from 1 to 9; `always` takes the first that"
                                + " the other gateway knows.",
                byDefault = "zstd:1,gzip:1,bzip2:9")
        List<String> codecs,

        @Setting(
                description =
                        "The store that `s3:` URLs are of, as `https://HOST[:PORT]`; buckets are named in the path. `http://` leaves objects"
                                + " unencrypted. Without it there is no `s3:`.")
        @Nullable
        String s3Endpoint,

        @Setting(description = "The region that requests to that store are signed for.", byDefault = "us-east-1")
        String s3Region,

        @Setting(
                description =
                        "Whether files may be fetched from and sent to private networks, where storage of a site is. `false` keeps"
                                + " clients from making the service connect to inner addresses. The service's own ports, addresses of"
                                + " the local link and metadata services of clouds are never connected to.",
                byDefault = "true")
        boolean allowPrivateAddresses,

        @Setting(
                description =
                        "Whether files may be fetched from and sent to servers at loopback addresses of the gateway's own machine. What"
                                + " listens there often trusts everybody who reaches it.",
                byDefault = "false")
        boolean allowLoopbackAddresses) {

    /** Whose output files are sent while the job runs. */
    public enum Incremental {
        NEVER,
        ASKED,
        ALWAYS
    }

    /** How one of several file servers is chosen. */
    public enum ServerSelection {
        ROUND_ROBIN,
        RANDOM,
        LEAST_LOAD
    }

    public StagingConfig {
        servers = List.copyOf(servers);
        protocols = List.copyOf(protocols);
        httpHosts = List.copyOf(httpHosts);
        codecs = List.copyOf(codecs);
    }
}
