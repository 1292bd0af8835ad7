// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Clients of OGSA-BES that others wrote, made from the official WSDL, and our own command. */
@ExtendWith(OneGateway.class)
class BesClientsIT {

    private final Gateway gateway;

    BesClientsIT(Gateway gateway) {
        this.gateway = gateway;
    }

    /** Where the official WSDL and its schemas lie. */
    static Path schemas() {
        Path schemas =
                Checkout.directory().resolve("../shared/schemas/bes/offline").normalize();
        assumeTrue(Files.isDirectory(schemas), "SKIPPED: there is no official WSDL of BES at " + schemas);
        return schemas;
    }

    @Test
    void zeepLivesWithTheOfficialWsdl() throws Exception {
        Programs.Result result = gateway.clients()
                .run(List.of(
                        Zeep.python(gateway.clients()),
                        Checkout.file("src/test/python/bes_activity.py").toString(),
                        gateway.bes(),
                        schemas().toString()));

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output().lines()).endsWith("ok all");
    }

    /** The class is there where the WSDL is: the build makes a client of it then. */
    @Test
    void axis2LivesWithTheOfficialWsdl() throws Exception {
        schemas();
        try (Axis2Client client = new Axis2Client(gateway)) {
            Object life = Class.forName("org.jobgate.interop.OfficialBesLife")
                    .getDeclaredConstructor(Axis2Client.class, String.class)
                    .newInstance(client, gateway.bes());

            assertThat(((Callable<?>) life).call()).isEqualTo("ok all");
        }
    }

    /** gSOAP's endpoint references keep the address alone, so this also shows that the address is enough. */
    @Test
    void gSoapLivesWithTheOfficialWsdl(@TempDir Path directory) throws Exception {
        Programs.Result result = GSoapClient.ofBes(gateway.clients(), schemas(), directory)
                .run(
                        gateway.bes(),
                        gateway.proxy().toString(),
                        gateway.trustDirectory().toString());

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output().lines()).endsWith("ok all");
    }

    @Test
    void theCommandRunsAnActivityToItsExitCode(@TempDir Path directory) throws Exception {
        Path document = directory.resolve("job.jsdl");
        Files.writeString(document, """
                <JobDefinition xmlns="http://schemas.ggf.org/jsdl/2005/11/jsdl"><JobDescription><Application>
                  <HPCProfileApplication xmlns="http://schemas.ggf.org/jsdl/2006/07/jsdl-hpcpa">
                    <Executable>/bin/sh</Executable><Argument>-c</Argument><Argument>exit 7</Argument>
                  </HPCProfileApplication></Application></JobDescription></JobDefinition>
                """);
        String identifier = directory.resolve("job.epr").toString();

        Programs.Result created = bes("create", "-F", gateway.bes(), "-o", identifier, "-w", document.toString());
        assertThat(created.status()).as(created.output()).isEqualTo(7);
        assertThat(created.output()).contains("Finished, exit code 7");
        assertThat(bes("status", identifier).output()).contains("Finished, exit code 7");

        Programs.Result written = bes("document", identifier);
        assertThat(written.status()).as(written.output()).isZero();
        assertThat(written.output()).contains("http://schemas.ggf.org/jsdl/2005/11/jsdl", "/bin/sh", "exit 7");

        Programs.Result late = bes("terminate", identifier);
        assertThat(late.status()).as(late.output()).isEqualTo(252);
        assertThat(late.output()).contains("there is nothing to terminate");

        assertThat(bes("factory", "-F", gateway.bes()).output()).contains("IsAcceptingNewActivities: true", "Fork");
        Programs.Result stopped = bes("accepting", "off", "-F", gateway.bes());
        assertThat(stopped.status()).as(stopped.output()).isEqualTo(252);
        assertThat(stopped.output()).contains("bes.administrators");

        assertThat(bes("destroy", identifier).output()).contains("Destroyed.");
        assertThat(bes("status", identifier).output()).contains("There is no activity");
    }

    private Programs.Result bes(String... words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(Checkout.directory().resolve("bin/bes").toString()));
        command.addAll(List.of(words));
        return gateway.clients().run(command);
    }
}
