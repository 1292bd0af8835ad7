// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.delegation;

import java.util.List;
import org.jobgate.cli.command.CommandPage;

/** What the commands say of themselves. */
public final class CredentialPages {
    static final String DELEGATE = "globus-credential-delegate";
    static final String REFRESH = "globus-credential-refresh";

    private CredentialPages() {}

    /** All names, as the commands are called. */
    public static List<String> names() {
        return List.of(DELEGATE, REFRESH);
    }

    public static CommandPage page(String name) {
        boolean isDelegate = name.equals(DELEGATE);
        return new CommandPage(
                name,
                isDelegate ? "Delegate a credential to a service" : "Renew a delegated credential",
                List.of(isDelegate ? "[OPTION ...] EPR-FILE" : "[OPTION ...] -e EPR-FILE"),
                List.of(
                        isDelegate
                                ? "Writes the endpoint reference of the credential to EPR-FILE, to be named in job descriptions or"
                                        + " with globusrun-ws -Jf, -Sf and -Tf. Your private key stays here: what is sent is a proxy"
                                        + " for a key of the service's. With -token it is that token, which the job finds in the file that"
                                        + " BEARER_TOKEN_FILE names."
                                : "Jobs that use the credential get the new proxy, or with -token the new token: of the kind that was"
                                        + " delegated."),
                List.of(CredentialOption.values()),
                List.of(
                        isDelegate
                                ? "globus-credential-delegate -h gate.example.org -l 86400 credential.epr"
                                : "globus-credential-refresh -e credential.epr"));
    }
}
