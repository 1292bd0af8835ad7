// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;

/** The storage resource manager. */
@Section(
        "The storage resource manager (SRM v2.2, `/srm/managerv2` and `/srm/v2/server`): names in `fileTrees`, and URLs by which their files are"
                + " moved. It is served where there is a tree.")
public record SrmConfig(
        @Setting(
                description =
                        "Entries in one answer of srmLs; where there are more, the client is told so and lists with offset and count.",
                byDefault = "10000",
                min = "1",
                max = "100000")
        long maxListedEntries,

        @Setting(
                description = "SURLs, files or tokens that one request may name.",
                byDefault = "1000",
                min = "1",
                max = "100000")
        long maxPaths,

        @Setting(
                description = "Requests for files to be got or put that are remembered, those that are over with them.",
                byDefault = "100000",
                min = "1",
                max = "10000000")
        long maxRequests,

        @Setting(
                description = "The same of one subject that are not over.",
                byDefault = "5000",
                min = "1",
                max = "10000000")
        long maxRequestsPerOwner,

        @Setting(
                description =
                        "How much all requests that are remembered may say together: their SURLs and transfer URLs.",
                byDefault = "1GiB",
                min = "1MiB",
                max = "1TiB")
        DataSize maxRequestSizes,

        @Setting(
                description =
                        "The same of one subject. Requests of the subject that are over are forgotten before their time, the oldest first,"
                                + " where a new one would have no room.",
                byDefault = "64MiB",
                min = "64KiB",
                max = "1TiB")
        DataSize maxRequestSizesPerOwner,

        @Setting(
                description =
                        "How long a request lasts that does not say so: then what was put and not done is removed.",
                byDefault = "1h",
                min = "1s",
                max = "30d")
        Duration requestLifetime,

        @Setting(
                description = "The longest that a request may last; one that asks for more gets this.",
                byDefault = "1d",
                min = "1s",
                max = "365d")
        Duration maxRequestLifetime,

        @Setting(
                description = "For how long a request that is over can be asked about.",
                byDefault = "10m",
                min = "1s",
                max = "30d",
                tier = Tier.RARE)
        Duration keepFinished,

        @Setting(
                description = "Spaces that clients have reserved (srmReserveSpace), of everybody.",
                byDefault = "10000",
                min = "1",
                max = "1000000")
        long maxSpaces,

        @Setting(description = "The same of one subject.", byDefault = "100", min = "1", max = "1000000")
        long maxSpacesPerOwner,

        @Setting(
                description =
                        "How much one subject may reserve, in all spaces together. 0 turns the reserving of space off.",
                byDefault = "100GiB",
                min = "0B",
                max = "1024TiB")
        DataSize maxReservedPerOwner,

        @Setting(
                description = "How long a space lasts that asks for no lifetime, and the longest that one may last.",
                byDefault = "30d",
                min = "1s",
                max = "365d")
        Duration maxSpaceLifetime,

        @Setting(description = "Which checksum srmLs tells of a file that is listed alone.", byDefault = "adler32")
        Checksum checksum,

        @Setting(
                description =
                        "No checksum is told of a larger file: all of it would have to be read first. What was made is remembered while the"
                                + " file stays as it is. 0 turns checksums off.",
                byDefault = "64MiB",
                min = "0B",
                max = "1024TiB")
        DataSize maxChecksumSize,

        @Setting(
                description =
                        "Whether clients that ask for the protocol `file` are given the file's path on this machine; for clients that run here.",
                byDefault = "false")
        boolean localFiles) {

    /** The checksums that clients of SRM know. */
    public enum Checksum {
        ADLER32,
        CRC32,
        MD5,
        SHA1,
        SHA256
    }
}
