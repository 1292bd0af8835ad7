// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages of SRM as they are, sent by curl with the proxy of a gateway's user: for what no command says.
 *
 * @param folder where requests are written
 */
record SrmCalls(Gateway gateway, Path folder) {

    static String envelope(String operation, String content) {
        return "<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'><S:Body><s:" + operation
                + " xmlns:s='http://srm.lbl.gov/StorageResourceManager'><" + operation + "Request>" + content + "</"
                + operation + "Request></s:" + operation + "></S:Body></S:Envelope>";
    }

    /** What was answered, whatever it is. */
    String ask(String operation, String content) throws Exception {
        Path request = Files.createTempFile(folder, "request-", ".xml");
        Files.writeString(request, envelope(operation, content));
        try {
            return gateway.clients()
                    .runWell(new SrmPrograms(gateway)
                            .curl(
                                    "-H",
                                    "Content-Type: text/xml",
                                    "--data-binary",
                                    "@" + request,
                                    "https://localhost:" + gateway.port() + "/srm/v2/server"));
        } finally {
            Files.delete(request);
        }
    }

    /** What stands in all elements of this name of an answer; without entities, which nothing that is asked for here has. */
    static List<String> all(String answer, String name) {
        Matcher found = Pattern.compile("<" + name + ">([^<]*)</" + name + ">").matcher(answer);
        return found.results().map(result -> result.group(1)).toList();
    }

    /** The whole answer's code first, then those of the files. */
    static List<String> codes(String answer) {
        return all(answer, "statusCode");
    }
}
