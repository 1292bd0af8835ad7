// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import org.jobgate.door.DoorAddresses;
import org.jspecify.annotations.Nullable;

/** One front door. Its name is the key; {@link Section#keys} has all there are. */
@Section(
        value =
                "The front doors, each by its name: `gram` (the job services of GT4), `delegation` (GT4's delegation services), `gridsite` "
                        + "(gridsite's delegation service), `rft` (GT4's file transfer services), `files` (the files of jobs, `/jobs`), `rest` (the REST API, `/api/v1`), "
                        + "`bes` (OGSA-BES, `/bes`), `cream` (CREAM2, `/ce-cream/services`), `arc` (ARC's REST interface, `/arex/rest`), `srm` (the storage resource manager, `/srm`; served where there are `fileTrees`), "
                        + "`console` (pages for a browser, `/console`; they ask `rest` and `files`, so they are served only where both are on the same port). What "
                        + "the gateway does behind them stays: with `gridsite` turned off, credentials still come by `delegation`.",
        keys = {
            DoorAddresses.GRAM,
            DoorAddresses.DELEGATION,
            DoorAddresses.GRIDSITE,
            DoorAddresses.RFT,
            DoorAddresses.FILES,
            DoorAddresses.REST,
            DoorAddresses.BES,
            DoorAddresses.CREAM,
            DoorAddresses.ARC,
            DoorAddresses.SRM,
            DoorAddresses.CONSOLE
        })
public record DoorConfig(
        @Setting(
                description =
                        "Whether clients can use the door. Where it is turned off, its addresses are answered as those at which nothing is: 404.",
                byDefault = "true")
        boolean enabled,

        @Setting(
                description =
                        "A port that the door has for itself: it is not served on any other, and nothing else is served there. In everything else "
                                + "(address, certificates, tokens, limits) the port is as `server.port`. 0 lets the system choose.",
                min = "0",
                max = "65535")
        @Nullable
        Integer port,

        @Setting(
                description =
                        "The largest body of one request to the door; `limits.maxBodyBytes` if not given. Files that are put (`files`) do not count: "
                                + "`files.maxFileSize` bounds them.",
                min = "1KiB",
                max = "1GiB")
        @Nullable
        DataSize maxBodyBytes) {

    /** A door of which nothing is configured. */
    static DoorConfig defaults() {
        return new DoorConfig(true, null, null);
    }
}
