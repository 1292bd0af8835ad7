// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Optional;
import org.jobgate.job.Reason;
import org.jobgate.site.SiteFile;
import org.jspecify.annotations.Nullable;

/** Files of the keys of token issuers, for those who look after them. */
public final class KeyFiles {

    private KeyFiles() {}

    /**
     * What is wrong with the file, as a sentence; empty if it can be used.
     *
     * @param issuer whose keys it should hold
     * @param file absent where the keys are not in a file
     */
    public static Optional<String> trouble(String issuer, @Nullable Path file) {
        if (file == null) {
            return Optional.empty();
        }
        try (InputStream in = SiteFile.read(file, KeyFetch.MAX_BYTES).open()) {
            JWKSet keys = JWKSet.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return keys.isEmpty() ? Optional.of(sentence(issuer, file, "there is no key in it")) : Optional.empty();
        } catch (IOException | ParseException | RuntimeException e) {
            // whatever the parser throws at what the file holds: it is the file's fault
            return Optional.of(sentence(issuer, file, Reason.of(e)));
        }
    }

    private static String sentence(String issuer, Path file, String why) {
        return "The file of keys " + file + " of the token issuer " + issuer + " cannot be used: " + why
                + ". Its tokens are refused as soon as the keys that were read before count no more. Mend it.";
    }
}
