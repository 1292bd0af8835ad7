// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An issuer of bearer tokens. */
@Section(value = "The issuers whose bearer tokens are taken. There are none by default.", optional = true)
public record TokenIssuerConfig(
        @Setting(description = "Its address, exactly as its tokens have it in `iss`.", tier = Tier.ESSENTIAL)
        String issuer,

        @Setting(
                description =
                        "How it writes tokens: `wlcg` (WLCG Common JWT Profiles 1.x), `scitokens` (SciTokens 2.0), or `plain`"
                                + " (RFC 9068, no claim of a version is asked for).",
                byDefault = "wlcg")
        Profile profile,

        @Setting(
                description =
                        "Where its keys are, a JWK set; as its `.well-known/openid-configuration` says if neither this nor a file is"
                                + " given.")
        @Nullable
        String keysUrl,

        @Setting(description = "A file of its keys, for sites that cannot or will not ask it.") @Nullable
        Path keysFile,

        @Setting(
                description =
                        "Its tokens may name groups (`wlcg.groups`) at or below these, e.g. `/atlas`; they count as VOMS attributes."
                                + " Others are left out.")
        List<String> groups) {

    public TokenIssuerConfig {
        groups = List.copyOf(groups);
        if (keysUrl != null && keysFile != null) {
            throw new IllegalArgumentException("both keysUrl and keysFile are given for " + issuer);
        }
    }

    /** How an issuer writes its tokens. */
    public enum Profile {
        WLCG,
        SCITOKENS,
        PLAIN
    }
}
