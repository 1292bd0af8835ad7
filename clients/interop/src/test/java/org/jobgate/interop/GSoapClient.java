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

/** The client of OGSA-BES that gSOAP makes of the official WSDL, with its plug-in for WS-Security. */
final class GSoapClient {

    private static final String PLUGINS = "/usr/share/gsoap/plugin/";

    private final Programs programs;
    private final Path client;

    private GSoapClient(Programs programs, Path client) {
        this.programs = programs;
        this.client = client;
    }

    /** Makes it in this directory; the test is skipped where there is no gSOAP. */
    static GSoapClient make(Programs programs, Path schemas, Path directory) throws IOException, InterruptedException {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/wsdl2h")) && Files.exists(Path.of("/usr/include/stdsoap2.h")),
                "SKIPPED: there is no gSOAP (Debian: gsoap libgsoap-dev libssl-dev gcc)");
        Path header = directory.resolve("bes.h");
        programs.runWell(List.of(
                "wsdl2h",
                "-c",
                "-o",
                header.toString(),
                "-t",
                "/usr/share/gsoap/WS/typemap.dat",
                "-I",
                schemas.toString(),
                schemas.resolve("bes-factory.wsdl").toString()));
        Files.writeString(header, "#import \"wsse.h\"\n", StandardOpenOption.APPEND);
        programs.runWell(List.of(
                "soapcpp2",
                "-c",
                "-C",
                "-L",
                "-x",
                "-w",
                "-I/usr/share/gsoap/import:/usr/share/gsoap",
                "-d" + directory,
                header.toString()));
        Path client = directory.resolve("bes_activity");
        programs.runWell(List.of(
                "gcc",
                "-w",
                "-DWITH_OPENSSL",
                "-I" + directory,
                "-I/usr/share/gsoap",
                "-I" + PLUGINS,
                "-o",
                client.toString(),
                Checkout.file("src/test/c/bes_activity.c").toString(),
                directory.resolve("soapC.c").toString(),
                directory.resolve("soapClient.c").toString(),
                PLUGINS + "wsseapi-lite.c",
                PLUGINS + "wsaapi.c",
                "/usr/share/gsoap/custom/struct_timeval.c",
                "-lgsoapssl",
                "-lssl",
                "-lcrypto"));
        return new GSoapClient(programs, client);
    }

    Programs.Result run(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(client.toString()));
        command.addAll(List.of(words));
        return programs.run(command);
    }
}
