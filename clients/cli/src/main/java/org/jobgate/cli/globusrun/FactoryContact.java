// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;

/** Where the job factory is: {@code [protocol://]{host|address}[:port][/service]} (facts/gram4.md section 4.2). */
final class FactoryContact {
    static final String DEFAULT = "https://localhost:8443/wsrf/services/ManagedJobFactoryService";

    private static final String PATH_DEFAULT = "/wsrf/services/ManagedJobFactoryService";
    private static final int PORT_DEFAULT = 8443;
    private static final int PORT_MAX = 65535;
    private static final Pattern CONTACT =
            Pattern.compile("(?:([a-zA-Z]+)://)?(\\[[0-9a-fA-F:.%]+\\]|[^\\[\\]:/]+)(?::([0-9]{1,5}))?(/.*)?");

    private FactoryContact() {}

    /** @throws CommandException where it is none, or not https */
    static String address(String contact) throws CommandException {
        Matcher parts = CONTACT.matcher(contact);
        if (!parts.matches()) {
            throw new CommandException(
                    ExitStatus.USAGE,
                    "Factory contact " + contact + " is not of the form [https://]HOST[:PORT][/SERVICE].");
        }
        String protocol = parts.group(1);
        if (protocol != null && !protocol.equalsIgnoreCase("https")) {
            throw new CommandException(
                    ExitStatus.USAGE,
                    "Factory contact " + contact + ": only https is in this version; " + protocol
                            + " would need message security.");
        }
        int port = parts.group(3) == null ? PORT_DEFAULT : Integer.parseInt(parts.group(3));
        if (port < 1 || port > PORT_MAX) {
            throw new CommandException(
                    ExitStatus.USAGE, "Factory contact " + contact + ": port " + port + " is not in 1 to 65535.");
        }
        String path = parts.group(4);
        boolean isPathMissing = path == null || path.equals("/");
        return "https://" + parts.group(2) + ":" + port + (isPathMissing ? PATH_DEFAULT : path);
    }
}
