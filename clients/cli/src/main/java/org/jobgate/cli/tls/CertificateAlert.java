// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What a server says with a fatal TLS alert about the certificate it was shown. With TLS 1.2 the alert ends the handshake; with TLS 1.3 it
 * comes after that, at the first read.
 */
final class CertificateAlert {
    /** How JSSE words an alert that came from the other end. */
    private static final Pattern RECEIVED = Pattern.compile("Received fatal alert: ([a-z0-9_]+)");

    private static final String ASK = "Ask its administrator, whose log says why";
    private static final String RENEW =
            "Make a new proxy (jobgate proxy init), or get a new certificate from your authority";

    /** The alerts that speak of a certificate, with what each means and what to do. */
    private static final Map<String, String[]> MEANINGS = Map.ofEntries(
            meaning(
                    "unknown_ca",
                    "it does not trust that authority",
                    "Ask its administrator whether it should, or use"
                            + " a certificate of an authority that it trusts"),
            meaning("certificate_revoked", "the authority has revoked it", "Get a new one from your authority"),
            meaning("certificate_expired", "it is out of date", RENEW),
            meaning("unsupported_certificate", "its kind of key or signature is not accepted there", RENEW),
            meaning("bad_certificate", "it, or one above it, is damaged or not allowed there", ASK),
            meaning(
                    "certificate_unknown",
                    "it is not valid there (an authority that is not trusted, revoked, an outdated revocation list of"
                            + " the authority, a weak key)",
                    ASK),
            meaning("access_denied", "it is valid, and its owner may not come in", ASK),
            meaning("decrypt_error", "its signature could not be verified", RENEW),
            meaning("insufficient_security", "its key is too weak", RENEW),
            meaning("certificate_required", "none was shown", "Make a proxy: jobgate proxy init"));

    private CertificateAlert() {}

    private static Map.Entry<String, String[]> meaning(String alert, String why, String remedy) {
        return Map.entry(alert, new String[] {why, remedy});
    }

    /**
     * The refusal that an alert of the server tells.
     *
     * @param shown null where no certificate was shown
     * @return null where it is no alert of the server, or one of something else
     */
    static @Nullable RefusedException refusal(SSLException e, @Nullable Credential shown, String host, int port) {
        String alert = received(e);
        String[] meaning = alert == null ? null : MEANINGS.get(alert);
        if (meaning == null) {
            return null;
        }
        String server = "The server " + host + ":" + port;
        String said = meaning[0] + " (TLS alert " + alert + "). " + meaning[1] + ".";
        String message = shown == null
                ? server + " wants a certificate: " + said
                : server + " refused your certificate " + named(shown) + ": " + said;
        return new RefusedException(RefusedException.What.CREDENTIAL, message, e);
    }

    private static String named(Credential shown) {
        return SlashName.of(shown.chain().getFirst().getSubjectX500Principal()) + " (file " + shown.source()
                + "), issued by " + shown.issuer();
    }

    private static @Nullable String received(Throwable e) {
        for (Throwable at = e; at != null; at = at.getCause()) {
            Matcher alert = RECEIVED.matcher(String.valueOf(at.getMessage()));
            if (alert.find()) {
                return alert.group(1);
            }
        }
        return null;
    }
}
