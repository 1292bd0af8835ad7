// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jobgate.files.FileChecksum;
import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlLimits;

/**
 * How the door is to be.
 *
 * @param version of the gateway, for srmPing
 * @param entries in one answer of srmLs
 * @param paths that one request may name
 * @param requests how many requests to move files may be remembered, live or over
 * @param requestsPerOwner that are not over, of one subject
 * @param bytes characters in the records of all requests that are remembered
 * @param bytesPerOwner the same of one subject
 * @param usualLifetime of a request that asks for none
 * @param longestLifetime of any request
 * @param kept for how long requests that are over are remembered
 * @param checksum which checksum srmLs tells
 * @param checksumBytes it tells none of a larger file
 * @param xml how much XML one request may hold
 * @param localFiles whether clients on this machine are given {@code file} URLs
 * @param https what the https URLs of files in trees begin with, up to the tree's name; empty where they are not served
 * @param spaces how much of it may be reserved
 * @param homes the home directories of accounts, for trees below those
 * @param disks how much room there is
 */
public record SrmSettings(
        String version,
        Limit entries,
        Limit paths,
        Limit requests,
        Limit requestsPerOwner,
        Limit bytes,
        Limit bytesPerOwner,
        Duration usualLifetime,
        Duration longestLifetime,
        Duration kept,
        FileChecksum checksum,
        long checksumBytes,
        XmlLimits xml,
        boolean localFiles,
        Optional<String> https,
        SpaceLimits spaces,
        Function<String, Optional<String>> homes,
        Disks disks) {

    public SrmSettings {
        requireNonNull(version, "version is null");
        requireNonNull(entries, "entries is null");
        requireNonNull(paths, "paths is null");
        requireNonNull(requests, "requests is null");
        requireNonNull(requestsPerOwner, "requestsPerOwner is null");
        requireNonNull(bytes, "bytes is null");
        requireNonNull(bytesPerOwner, "bytesPerOwner is null");
        requireNonNull(usualLifetime, "usualLifetime is null");
        requireNonNull(longestLifetime, "longestLifetime is null");
        requireNonNull(kept, "kept is null");
        requireNonNull(checksum, "checksum is null");
        requireNonNull(xml, "xml is null");
        requireNonNull(https, "https is null");
        requireNonNull(spaces, "spaces is null");
        requireNonNull(homes, "homes is null");
        requireNonNull(disks, "disks is null");
    }
}
