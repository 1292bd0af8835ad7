// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A client that Debian's gSOAP makes of an official WSDL, driven by a program of ours in C. */
final class GSoapClient {

    private static final String GSOAP = "/usr/share/gsoap/";
    private static final String PLUGINS = GSOAP + "plugin/";

    private final Programs programs;
    private final Path client;

    private GSoapClient(Programs programs, Path client) {
        this.programs = programs;
        this.client = client;
    }

    /** That of OGSA-BES, with the plug-in for WS-Security. */
    static GSoapClient ofBes(Programs programs, Path schemas, Path directory) throws IOException, InterruptedException {
        return make(
                programs,
                schemas.resolve("bes-factory.wsdl"),
                "bes_activity",
                directory,
                List.of("wsse.h"),
                List.of(PLUGINS + "wsseapi-lite.c", PLUGINS + "wsaapi.c", GSOAP + "custom/struct_timeval.c"));
    }

    /** That of CREAM2. */
    static GSoapClient ofCream(Programs programs, Path wsdl, Path directory) throws IOException, InterruptedException {
        return make(programs, wsdl, "cream_job", directory, List.of(), List.of());
    }

    /**
     * Makes it in this directory; the test is skipped where there is no gSOAP.
     *
     * @param program the name of ours, without .c
     * @param imports headers of gSOAP that what is generated needs too
     * @param sources of gSOAP that are compiled with it
     */
    private static GSoapClient make(
            Programs programs, Path wsdl, String program, Path directory, List<String> imports, List<String> sources)
            throws IOException, InterruptedException {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/wsdl2h")) && Files.exists(Path.of("/usr/include/stdsoap2.h")),
                "SKIPPED: there is no gSOAP (Debian: gsoap libgsoap-dev libssl-dev gcc)");
        Path header = directory.resolve("service.h");
        programs.runWell(List.of(
                "wsdl2h",
                "-c",
                "-o",
                header.toString(),
                "-t",
                GSOAP + "WS/typemap.dat",
                "-I",
                wsdl.resolveSibling("").toString(),
                wsdl.toString()));
        for (String each : imports) {
            Files.writeString(header, "#import \"" + each + "\"\n", StandardOpenOption.APPEND);
        }
        programs.runWell(List.of(
                "soapcpp2",
                "-c",
                "-C",
                "-L",
                "-x",
                "-w",
                "-I" + GSOAP + "import:/usr/share/gsoap",
                "-d" + directory,
                header.toString()));
        Path client = directory.resolve(program);
        List<String> compiling = new ArrayList<>(
                List.of("gcc", "-w", "-DWITH_OPENSSL", "-I" + directory, "-I" + GSOAP, "-I" + PLUGINS, "-o"));
        compiling.addAll(List.of(
                client.toString(),
                Checkout.file("src/test/c/" + program + ".c").toString(),
                directory.resolve("soapC.c").toString(),
                directory.resolve("soapClient.c").toString()));
        compiling.addAll(sources);
        compiling.addAll(List.of("-lgsoapssl", "-lssl", "-lcrypto"));
        programs.runWell(compiling);
        return new GSoapClient(programs, client);
    }

    Programs.Result run(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(client.toString()));
        command.addAll(List.of(words));
        return programs.run(command);
    }
}
