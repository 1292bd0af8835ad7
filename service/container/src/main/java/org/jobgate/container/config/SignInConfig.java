// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Signing in to the console by an OpenID Connect issuer. */
@Section(
        "How users without a certificate in their browser sign in to the console: by an OpenID Connect issuer. Off unless `issuer` is given. See `docs/operate/console.md`.")
public record SignInConfig(
        @Setting(
                description =
                        "The issuer's address, exactly as `issuer` in its `.well-known/openid-configuration` has it. `tokens.trust` says by whose word"
                                + " its server is believed.")
        @Nullable
        String issuer,

        @Setting(description = "What this gateway is called there: the client's id.") @Nullable
        String clientId,

        @Setting(
                description =
                        "File whose first line is the client's secret. Nobody but the account of the service may be able to read it. It is read at each"
                                + " sign-in, so that a new secret needs no restart.")
        @Nullable
        Path clientSecretFile,

        @Setting(
                description =
                        "The address to which the issuer sends browsers back, as it is registered there: https, with the path `/console/callback`. Without"
                                + " it: `https://`, `server.publicName`, the port that the browser used, and that path.")
        @Nullable
        String redirect,

        @Setting(
                description =
                        "Scopes that are asked for beside `openid`. Where there are any, a session may do what the granted ones allow, as a bearer"
                                + " token with them (`token-scope`); where there are none, whatever its user may.")
        List<String> scopes,

        @Setting(description = "A session ends so long after the sign-in.", byDefault = "10h", min = "1m", max = "7d")
        Duration lifetime,

        @Setting(description = "A session that is not used for so long ends.", byDefault = "1h", min = "1m", max = "7d")
        Duration idle,

        @Setting(
                description = "Sessions at a time; above it nobody signs in until some are over.",
                byDefault = "10000",
                min = "1",
                max = "100000",
                tier = Tier.RARE)
        int maxSessions,

        @Setting(
                description = "Sessions of one subject at a time; one more ends the oldest of them.",
                byDefault = "10",
                min = "1",
                max = "1000",
                tier = Tier.RARE)
        int maxSessionsPerSubject,

        @Setting(
                description = "Sign-ins for which the issuer is being asked at a time.",
                byDefault = "16",
                min = "1",
                max = "1000",
                tier = Tier.RARE)
        int maxAtOnce,

        @Setting(description = "The same of one address.", byDefault = "4", min = "1", max = "1000", tier = Tier.RARE)
        int maxAtOncePerAddress) {

    private static final String CALLBACK = "/console/callback";

    public SignInConfig {
        scopes = List.copyOf(scopes);
        if (issuer != null && (clientId == null || clientId.isBlank() || clientSecretFile == null)) {
            throw new IllegalArgumentException("with issuer, clientId and clientSecretFile must be given too");
        }
        if (issuer != null && !isHttps(issuer)) {
            throw new IllegalArgumentException(
                    "issuer must be an https address without a comma, a query or a fragment");
        }
        if (redirect != null && !(isHttps(redirect) && redirect.endsWith(CALLBACK))) {
            throw new IllegalArgumentException("redirect must be an https address whose path is " + CALLBACK);
        }
        for (String scope : scopes) {
            // RFC 6749 section 3.3: printable, no blank, no quote, no backslash
            if (!scope.matches("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,255}")) {
                throw new IllegalArgumentException("scopes holds \"" + scope + "\", which is no scope");
            }
        }
    }

    private static boolean isHttps(String text) {
        if (text.indexOf(',') >= 0) {
            return false;
        }
        URI address = URI.create(text);
        return "https".equals(address.getScheme())
                && address.getHost() != null
                && address.getRawQuery() == null
                && address.getRawFragment() == null
                && address.getRawUserInfo() == null;
    }
}
