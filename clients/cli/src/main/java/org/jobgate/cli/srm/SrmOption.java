// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.srm;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.ServiceOptions;

/** Options of the commands, spelled as those of BeStMan's commands where they mean the same. */
final class SrmOption {
    static final CommandOption SOURCE = CommandOption.of("URL", "The same as the first URL of the command line", "-s");
    static final CommandOption TARGET = CommandOption.of("URL", "The same as the last URL of the command line", "-t");
    static final CommandOption SERVICE = CommandOption.of(
            "URL", "The service, where the SURL does not name it: srm://HOST[:PORT]/PATH", "-serviceurl");
    static final CommandOption PROXY =
            CommandOption.of("FILE", "Use this proxy; default: X509_USER_PROXY, else /tmp/x509up_u<uid>", "-proxyfile");
    static final CommandOption FULL =
            CommandOption.of("", "Show permissions, owners, sizes, times and checksums", "-fulldetailed", "-l");
    static final CommandOption RECURSIVE = CommandOption.of("", "With all that is in directories", "-recursive", "-r");
    static final CommandOption LEVELS =
            CommandOption.of("NUMBER", "Show so many levels of directories; default 1", "-numlevels");
    static final CommandOption OFFSET = CommandOption.of("NUMBER", "Begin at this entry", "-offset");
    static final CommandOption COUNT = CommandOption.of("NUMBER", "Show so many entries; default all", "-count");
    static final CommandOption OVERWRITE = CommandOption.of("", "Replace files that are there", "-overwrite");
    static final CommandOption MKDIR = CommandOption.of("", "Make the directories that the target lacks", "-mkdir");
    static final CommandOption PROTOCOLS = CommandOption.of(
            "LIST", "Ask for these transfer protocols, by commas; default https,gsiftp", "-protocolslist");
    static final CommandOption SPACE =
            CommandOption.of("TOKEN", "The space token of the target, or of the space", "-spacetoken");
    static final CommandOption LIFETIME =
            CommandOption.of("SECONDS", "How long the request or the space is to last", "-lifetime");
    static final CommandOption SIZE = CommandOption.of("BYTES", "How large the space is to be", "-size");
    static final CommandOption DESCRIPTION = CommandOption.of("TEXT", "The description of the space", "-spacedesc");
    static final CommandOption TOKEN = CommandOption.of("TOKEN", "The token of the request", "-requesttoken");
    static final CommandOption QUIET =
            CommandOption.of("", "Say nothing but errors and what was asked for", "-q", "-quiet");
    static final CommandOption DELEGATION = CommandOption.refused(
            "the connection delegates nothing; delegate a proxy before, with glite-ce-delegate-proxy",
            "",
            "Not served",
            "-delegation");

    private static final List<CommandOption> TRANSFERS =
            List.of(OVERWRITE, RECURSIVE, MKDIR, PROTOCOLS, SPACE, LIFETIME);

    private SrmOption() {}

    private static List<CommandOption> own(String command) {
        return switch (command) {
            case "srm-ls" -> List.of(SOURCE, FULL, RECURSIVE, LEVELS, OFFSET, COUNT);
            case "srm-rmdir" -> List.of(SOURCE, RECURSIVE);
            case "srm-mv" -> List.of(SOURCE, TARGET);
            case "srm-copy", "srm-get", "srm-put" -> {
                List<CommandOption> all = new ArrayList<>(List.of(SOURCE, TARGET));
                all.addAll(TRANSFERS);
                yield all;
            }
            case "srm-sp-tokens" -> List.of(DESCRIPTION);
            case "srm-sp-info", "srm-sp-release" -> List.of(SPACE);
            case "srm-sp-reserve" -> List.of(SIZE, LIFETIME, DESCRIPTION, SPACE);
            case "srm-abort-request" -> List.of(TOKEN);
            default -> List.of(SOURCE);
        };
    }

    /** Those of one command. */
    static List<CommandOption> table(String command) {
        List<CommandOption> table = new ArrayList<>(own(command));
        table.addAll(List.of(SERVICE, PROXY, QUIET, DELEGATION));
        ServiceOptions.ALL.stream()
                .filter(option -> !option.equals(ServiceOptions.PROTOCOL))
                .forEach(table::add);
        return table;
    }
}
