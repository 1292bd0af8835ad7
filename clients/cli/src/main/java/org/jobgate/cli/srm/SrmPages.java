// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.srm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.command.CommandPage;

/** What the commands say of themselves. */
public final class SrmPages {
    private static final String SURL = "'srm://gate.example.org:8443/srm/v2/server?SFN=/work/";
    private static final String OF_SURL =
            "A SURL is srm://HOST[:PORT]/ENDPOINT?SFN=/PATH, or srm://HOST[:PORT]/PATH: then the service is at"
                    + " /srm/v2/server of the host, or where -serviceurl says. The port is 8443 where none is named.";
    private static final String MOVES =
            "Bytes move by the transfer URL that the service gives: https, in pieces that are sent again when the"
                    + " connection breaks, or gsiftp, encrypted, with a limited proxy of an hour for the server; after a break it goes on"
                    + " where it was. With a token instead of a proxy only https is possible. A file has its name when it is whole. A person"
                    + " at a terminal sees a bar.";

    private record Page(String summary, List<String> synopsis, List<String> description, List<String> examples) {}

    private static final Map<String, Page> PAGES = pages();

    private SrmPages() {}

    private static Page page(String summary, String synopsis, String description, String... examples) {
        return new Page(summary, List.of(synopsis), List.of(description, OF_SURL), List.of(examples));
    }

    private static Page moving(String summary, String synopsis, String description, String... examples) {
        return new Page(summary, List.of(synopsis), List.of(description, MOVES, OF_SURL), List.of(examples));
    }

    private static Map<String, Page> pages() {
        Map<String, Page> all = new LinkedHashMap<>();
        all.put(
                "srm-ping",
                page(
                        "Ask whether a storage service is there",
                        "[OPTION ...] SURL",
                        "Prints the version of the protocol, and what the service says of itself and of you.",
                        "srm-ping srm://gate.example.org:8443/srm/v2/server"));
        all.put(
                "srm-ls",
                page(
                        "List files and directories of a storage service",
                        "[-fulldetailed] [-recursive | -numlevels NUMBER] [OPTION ...] SURL ...",
                        "Prints a line for each entry. A directory that is larger than one answer is asked for in parts.",
                        "srm-ls -l " + SURL + "'"));
        all.put(
                "srm-copy",
                moving(
                        "Copy files to, from and between storage services",
                        "[-recursive] [-mkdir] [-overwrite] [OPTION ...] SOURCE TARGET",
                        "One of the two may be a file here, as a path or a file: URL. Two files of one service are copied by it (srmCopy), and so"
                                + " is a gsiftp or https URL; for that, and for copies between two services, delegate a proxy to the service of"
                                + " the target first.",
                        "srm-copy data " + SURL + "data'",
                        "srm-copy " + SURL + "data' file:///tmp/data"));
        all.put(
                "srm-get",
                moving(
                        "Fetch files from a storage service",
                        "[-recursive] [-overwrite] [OPTION ...] SURL [FILE]",
                        "Without FILE, the file has its name in the current directory.",
                        "srm-get " + SURL + "data'"));
        all.put(
                "srm-put",
                moving(
                        "Bring files to a storage service",
                        "[-recursive] [-mkdir] [-overwrite] [OPTION ...] FILE SURL",
                        "Where SURL ends with a slash, the file keeps its name.",
                        "srm-put data " + SURL + "'"));
        all.put(
                "srm-mkdir",
                page(
                        "Make directories in a storage service",
                        "[OPTION ...] SURL ...",
                        "The directory above must be there.",
                        "srm-mkdir " + SURL + "new'"));
        all.put(
                "srm-rmdir",
                page(
                        "Remove directories of a storage service",
                        "[-recursive] [OPTION ...] SURL ...",
                        "With -recursive, all that is in them goes too.",
                        "srm-rmdir -recursive " + SURL + "new'"));
        all.put(
                "srm-rm",
                page(
                        "Remove files of a storage service",
                        "[OPTION ...] SURL ...",
                        "Tells of each file that could not be removed.",
                        "srm-rm " + SURL + "data'"));
        all.put(
                "srm-mv",
                page(
                        "Give a file or directory of a storage service another name",
                        "[OPTION ...] SOURCE TARGET",
                        "Nothing is replaced. Both are at one service.",
                        "srm-mv " + SURL + "a' " + SURL + "b'"));
        all.put(
                "srm-transferprotocols",
                page(
                        "Show by which protocols a storage service moves files",
                        "[OPTION ...] SURL",
                        "Prints one a line.",
                        "srm-transferprotocols srm://gate.example.org:8443/srm/v2/server"));
        all.put(
                "srm-permission-check",
                page(
                        "Show what you may do with files",
                        "[OPTION ...] SURL ...",
                        "Prints R, W, X or NONE for each.",
                        "srm-permission-check " + SURL + "data'"));
        all.put(
                "srm-abort-request",
                page(
                        "Abort a request",
                        "-requesttoken TOKEN [OPTION ...] SURL",
                        "What was put by it and is not done is removed.",
                        "srm-abort-request -requesttoken 6a1c srm://gate.example.org:8443/srm/v2/server"));
        all.put(
                "srm-sp-tokens",
                page(
                        "List the space tokens of a storage service",
                        "[-spacedesc TEXT] [OPTION ...] SURL",
                        "Prints one a line.",
                        "srm-sp-tokens srm://gate.example.org:8443/srm/v2/server"));
        all.put(
                "srm-sp-info",
                page(
                        "Show how large spaces are",
                        "-spacetoken TOKEN [OPTION ...] SURL",
                        "Prints what is known of the space.",
                        "srm-sp-info -spacetoken work srm://gate.example.org:8443/srm/v2/server"));
        all.put(
                "srm-sp-reserve",
                page(
                        "Reserve space",
                        "-size BYTES [-spacedesc TEXT] [-lifetime SECONDS] [OPTION ...] SURL",
                        "Prints the token of the new space. At a Jobgate the description names the tree.",
                        "srm-sp-reserve -size 1000000000 -spacedesc work srm://gate.example.org:8443/srm/v2/server"));
        all.put(
                "srm-sp-release",
                page(
                        "Give reserved space back",
                        "-spacetoken TOKEN [OPTION ...] SURL",
                        "Files that were put there stay.",
                        "srm-sp-release -spacetoken 6a1c srm://gate.example.org:8443/srm/v2/server"));
        return all;
    }

    /** All names, as the commands are called. */
    public static List<String> names() {
        return List.copyOf(PAGES.keySet());
    }

    public static CommandPage page(String name) {
        Page page = PAGES.get(name);
        if (page == null) {
            throw new IllegalArgumentException("no command " + name);
        }
        return new CommandPage(
                name,
                page.summary(),
                page.synopsis(),
                page.description(),
                List.copyOf(SrmOption.table(name)),
                page.examples());
    }
}
