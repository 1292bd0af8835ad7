// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.authz.Action;
import org.jobgate.authz.Link;
import org.jspecify.annotations.Nullable;

/** One point of the chain that decides who may do what. */
@Section(
        "The points that decide who may do what, a list, asked in this order; without it there is the grid-mapfile alone. See"
                + " `docs/operate/authorization.md`.")
public record DecisionPointConfig(
        @Setting(
                description =
                        "What it decides by. `attribute-file` decides nothing: it adds attributes to callers, for the points behind it.",
                byDefault = "grid-mapfile",
                tier = Tier.ESSENTIAL)
        Kind kind,

        @Setting(description = "What logs call it. Without it: its kind.") @Nullable
        String name,

        @Setting(
                description =
                        "What it is asked about: `submit`, `delegate`, `files`, `query`, `manage`. Without it: a ban list and token scopes"
                                + " about everything, maps and callouts about submit, delegate and files, the others about submit.")
        List<String> actions,

        @Setting(
                description =
                        "The file of a grid-mapfile (without it: `authorization.gridMapfile`), FQAN map, ban list or attribute file. Read"
                                + " again when it changes.")
        @Nullable
        Path file,

        @Setting(
                description =
                        "For an FQAN map with pools: the directory with one empty file for each pool account, in which leases are kept.")
        @Nullable
        Path poolDirectory,

        @Setting(
                description =
                        "For token scopes: `ACTION=SCOPE`. A token may do what one of its scopes is named for, and nothing else.",
                byDefault =
                        "submit=compute.create,delegate=compute.create,files=compute.read,query=compute.read,manage=compute.cancel,manage=compute.modify")
        List<String> scopes,

        @Setting(
                description =
                        "For a time window: when, as `Mon-Fri 18:00-08:00`; over midnight if it ends before it begins.")
        List<String> windows,

        @Setting(description = "For a time window: the time zone, as `Europe/Berlin`.", byDefault = "UTC")
        String zone,

        @Setting(
                description =
                        "For server load: the highest load average of the machine (1 minute) for each processor, in percent; 0 for none.",
                byDefault = "0",
                min = "0",
                max = "100000")
        int maxLoadPercent,

        @Setting(
                description =
                        "For server load the most live jobs of all owners, for an owner quota those of each owner; 0 for none.",
                byDefault = "0",
                min = "0",
                max = "10000000")
        int maxJobs,

        @Setting(description = "For a callout or XACML: the https address that is asked.") @Nullable
        String url,

        @Setting(
                description =
                        "For XACML: what this gateway is in the words of the service: `ce`, `se` or `wn` (computing element, storage element,"
                                + " worker node).",
                byDefault = "ce")
        String resourceType,

        @Setting(
                description = "For a command: the program with its whole path, and its arguments. No shell is between.")
        List<String> command,

        @Setting(
                description = "How long a callout, XACML or a command may take.",
                byDefault = "5s",
                min = "100ms",
                max = "1m",
                tier = Tier.RARE)
        Duration timeout,

        @Setting(
                description =
                        "How long the answer of a callout, XACML or a command holds for the same caller and action.",
                byDefault = "1m",
                min = "0s",
                max = "1h",
                tier = Tier.RARE)
        Duration keepAnswer,

        @Setting(
                description =
                        "In whose name it permits, where the combining rule is `permit-overrides-with-delegation`; `site` is the site's own.",
                byDefault = Link.SITE,
                tier = Tier.RARE)
        String issuer,

        @Setting(
                description = "Further issuers whose permits its own issuer lets count, where the combining rule is"
                        + " `permit-overrides-with-delegation`.",
                tier = Tier.RARE)
        List<String> trusts) {

    /** What a point decides by. */
    public enum Kind {
        GRID_MAPFILE,
        FQAN_MAP,
        BAN_LIST,
        TOKEN_SCOPE,
        TIME_WINDOW,
        SERVER_LOAD,
        OWNER_QUOTA,
        CALLOUT,
        XACML,
        COMMAND,
        ATTRIBUTE_FILE
    }

    public DecisionPointConfig {
        actions.forEach(Action::of);
        switch (kind) {
            case FQAN_MAP, BAN_LIST, ATTRIBUTE_FILE -> require(file != null, kind, "file");
            case TIME_WINDOW -> require(!windows.isEmpty(), kind, "windows");
            case SERVER_LOAD -> require(maxLoadPercent > 0 || maxJobs > 0, kind, "maxLoadPercent or maxJobs");
            case OWNER_QUOTA -> require(maxJobs > 0, kind, "maxJobs");
            case CALLOUT, XACML ->
                require(url != null && url.startsWith("https://"), kind, "url that begins with https://");
            case COMMAND ->
                require(!command.isEmpty() && command.getFirst().startsWith("/"), kind, "command that begins with /");
            case GRID_MAPFILE, TOKEN_SCOPE -> {
                // what they need has a default
            }
        }
        if (!resourceType.matches("ce|se|wn")) {
            throw new IllegalArgumentException("resourceType = " + resourceType + ": it is ce, se or wn");
        }
        try {
            ZoneId.of(zone);
        } catch (java.time.DateTimeException e) {
            throw new IllegalArgumentException("zone = " + zone + ": there is no such time zone", e);
        }
    }

    private static void require(boolean holds, Kind kind, String what) {
        if (!holds) {
            throw new IllegalArgumentException("a point of kind " + SettingSpec.word(kind) + " needs " + what);
        }
    }

    /** What it is called in logs. */
    public String shownName() {
        return name != null ? name : SettingSpec.word(kind);
    }

    /** What it is asked about. */
    public Set<Action> askedAbout() {
        if (!actions.isEmpty()) {
            return actions.stream().map(Action::of).collect(Collectors.toSet());
        }
        return switch (kind) {
            case BAN_LIST, TOKEN_SCOPE, ATTRIBUTE_FILE -> EnumSet.allOf(Action.class);
            case GRID_MAPFILE, FQAN_MAP, CALLOUT, XACML, COMMAND ->
                EnumSet.of(Action.SUBMIT, Action.DELEGATE, Action.FILES);
            case TIME_WINDOW, SERVER_LOAD, OWNER_QUOTA -> EnumSet.of(Action.SUBMIT);
        };
    }
}
