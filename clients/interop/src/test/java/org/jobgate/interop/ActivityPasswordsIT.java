// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Names and passwords for single files of an activity (GFD.135), at a server that lets nobody in without. */
@ExtendWith(OneGateway.class)
class ActivityPasswordsIT {

    private static final String USER = "keeper-of-files";
    private static final String PASSWORD = "0pen-Sesame-of-the-IT";
    private static final String BASIC =
            Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8));

    private final Gateway gateway;

    ActivityPasswordsIT(Gateway gateway) {
        this.gateway = gateway;
    }

    private static String staging(String file, String where, String password) {
        return """
                <DataStaging><FileName>%s</FileName><CreationFlag>overwrite</CreationFlag>%s
                  <Credential xmlns="http://schemas.ogf.org/hpcp/2007/11/ac"><UsernameToken
                    xmlns="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd">
                    <Username>%s</Username><Password>%s</Password></UsernameToken></Credential>
                </DataStaging>""".formatted(file, where, USER, password);
    }

    private static Path document(Path directory, String staging) throws IOException {
        return document(directory, staging, "");
    }

    private static Path document(Path directory, String staging, String sweep) throws IOException {
        return Files.writeString(directory.resolve("job.jsdl"), """
                <JobDefinition xmlns="http://schemas.ggf.org/jsdl/2005/11/jsdl"><JobDescription><Application>
                  <HPCProfileApplication xmlns="http://schemas.ggf.org/jsdl/2006/07/jsdl-hpcpa">
                    <Executable>/bin/sh</Executable><Argument>-c</Argument><Argument>sleep 2; cat in in &gt; out</Argument>
                    <WorkingDirectory>%s</WorkingDirectory>
                  </HPCProfileApplication></Application>%s</JobDescription>%s</JobDefinition>
                """.formatted(directory, staging, sweep));
    }

    @Test
    void filesComeAndGoWithThePasswordAndItIsNowhereElse(@TempDir Path directory) throws Exception {
        try (FileServer server = FileServer.asking(gateway, "Basic " + BASIC)) {
            server.put("/in", "half".getBytes(StandardCharsets.UTF_8));
            Path job = document(
                    directory,
                    staging("in", "<Source><URI>" + server.url("/in") + "</URI></Source>", PASSWORD)
                            + staging("out", "<Target><URI>" + server.url("/out") + "</URI></Target>", PASSWORD));
            String identifier = directory.resolve("job.epr").toString();

            Programs.Result created = bes("create", "-F", gateway.bes(), "-o", identifier, job.toString());
            assertThat(created.status()).as(created.output()).isZero();
            assertNowhere(); // while it is kept, sealed
            Programs.Result ended = bes("status", "-w", identifier);
            assertThat(ended.status()).as(ended.output() + gateway.log()).isZero();
            assertThat(server.get("/out")).asString(StandardCharsets.UTF_8).isEqualTo("halfhalf");

            assertNowhere();
            Programs.Result written = bes("document", identifier);
            assertThat(written.output())
                    .contains("DataStaging", server.url("/in"))
                    .doesNotContain(PASSWORD, BASIC, USER, "Credential");
            assertThat(bes("status", identifier).output()).doesNotContain(PASSWORD, BASIC, USER);
        }
    }

    @Test
    void eachPointOfASweepUsesItAndItIsGoneWithTheLast(@TempDir Path directory) throws Exception {
        try (FileServer server = FileServer.asking(gateway, "Basic " + BASIC)) {
            for (int point = 1; point <= 3; point++) {
                server.put("/in" + point, ("point" + point).getBytes(StandardCharsets.UTF_8));
            }
            Path job = document(
                    directory,
                    staging("in", "<Source><URI>" + server.url("/in") + "</URI></Source>", PASSWORD)
                            + staging("out", "<Target><URI>" + server.url("/out") + "</URI></Target>", PASSWORD),
                    sweep(server));
            String identifier = directory.resolve("sweep.epr").toString();

            Programs.Result created = bes("create", "-F", gateway.bes(), "-o", identifier, job.toString());
            assertThat(created.status()).as(created.output()).isZero();
            assertNowhere(); // while it is kept, sealed
            Programs.Result ended = bes("status", "-w", identifier);
            assertThat(ended.status()).as(ended.output() + gateway.log()).isZero();

            for (int point = 1; point <= 3; point++) {
                String once = "point" + point;
                assertThat(server.get("/out" + point))
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo(once + once);
            }
            assertNowhere();
            assertThat(created.output() + ended.output()).doesNotContain(PASSWORD, BASIC, USER);
        }
    }

    /** Each point has files, and so a directory, of its own: they run at the same time. */
    private static String sweep(FileServer server) {
        StringBuilder assignments = new StringBuilder();
        for (String[] each : new String[][] {
            {"//j:DataStaging[1]/j:FileName", "in"},
            {"//j:DataStaging[2]/j:FileName", "out"},
            {"//j:DataStaging[1]/j:Source/j:URI", server.url("/in")},
            {"//j:DataStaging[2]/j:Target/j:URI", server.url("/out")},
            {"//h:Argument[2]", "sleep 1; cat in%1$d in%1$d &gt; out%1$d"}
        }) {
            assignments.append(
                    "<s:Assignment><s:DocumentNode><s:NamespaceBinding prefix='j' ns='http://schemas.ggf.org/jsdl/2005/11/jsdl'/>"
                            + "<s:NamespaceBinding prefix='h' ns='http://schemas.ggf.org/jsdl/2006/07/jsdl-hpcpa'/><s:Match>"
                            + each[0] + "</s:Match></s:DocumentNode><f:Values>");
            for (int point = 1; point <= 3; point++) {
                String value = each[1].contains("%") ? each[1].formatted(point) : each[1] + point;
                assignments.append("<f:Value>").append(value).append("</f:Value>");
            }
            assignments.append("</f:Values></s:Assignment>");
        }
        return "<s:Sweep xmlns:s='http://schemas.ogf.org/jsdl/2009/03/sweep'"
                + " xmlns:f='http://schemas.ogf.org/jsdl/2009/03/sweep/functions'>" + assignments + "</s:Sweep>";
    }

    /** Each point finds the same file of one name, with its own value in it, in a directory of its own. */
    @Test
    void aFileSweepFillsTheFileOfEachPoint(@TempDir Path directory) throws Exception {
        try (FileServer server = FileServer.asking(gateway, "Basic " + BASIC)) {
            server.put("/in", "<@N@|@N@|@M@>".getBytes(StandardCharsets.UTF_8));
            Path job = document(
                    directory,
                    staging("in", "<Source><URI>" + server.url("/in") + "</URI></Source>", PASSWORD),
                    "<s:Sweep xmlns:s='http://schemas.ogf.org/jsdl/2009/03/sweep'><s:Assignment>"
                            + "<w:FileSweep xmlns:w='http://schemas.ogf.org/jsdl/2009/03/file-sweep'><w:TemplateFile><FileName>in</FileName>"
                            + "</w:TemplateFile><w:FileToken value='@N@'/></w:FileSweep>"
                            + "<f:LoopInteger xmlns:f='http://schemas.ogf.org/jsdl/2009/03/sweep/functions' start='5' end='7'/>"
                            + "</s:Assignment></s:Sweep>");
            String identifier = directory.resolve("sweep.epr").toString();

            Programs.Result created = bes("create", "-F", gateway.bes(), "-o", identifier, job.toString());
            assertThat(created.status()).as(created.output()).isZero();
            Programs.Result ended = bes("status", "-w", identifier);
            assertThat(ended.status()).as(ended.output() + gateway.log()).isZero();

            for (int point = 0; point < 3; point++) {
                String filled = "<N|N|@M@>".replace("N", Integer.toString(5 + point));
                assertThat(directory.resolve("point-" + point + "/out")).hasContent(filled + filled);
            }
        }
    }

    @Test
    void aWrongPasswordFailsTheActivityAndIsNotTold(@TempDir Path directory) throws Exception {
        try (FileServer server = FileServer.asking(gateway, "Basic " + BASIC)) {
            Path job = document(
                    directory, staging("in", "<Source><URI>" + server.url("/in") + "</URI></Source>", PASSWORD + "x"));

            Programs.Result failed = bes("create", "-F", gateway.bes(), "-w", job.toString());

            assertThat(failed.status()).as(failed.output()).isEqualTo(251);
            assertThat(failed.output()).contains("HTTP status 401").doesNotContain(PASSWORD, USER);
            assertNowhere();
        }
    }

    /** Neither in the store nor in a log, nor in anything else that the gateway has on disk. */
    private void assertNowhere() throws IOException {
        for (int round = 1; ; round++) {
            try {
                lookThrough();
                return;
            } catch (NoSuchFileException e) {
                // it has taken the place of another meanwhile: all are looked at once more
                assertThat(round).as("rounds; last gone was %s", e.getFile()).isLessThan(100);
            }
        }
    }

    private void lookThrough() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(gateway.directory())) {
            files = all.filter(Files::isRegularFile).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        assertThat(files).hasSizeGreaterThan(5);
        for (Path file : files) {
            assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                    .as(file.toString())
                    .doesNotContain(PASSWORD)
                    .doesNotContain(BASIC)
                    .doesNotContain(Base64.getEncoder().encodeToString(PASSWORD.getBytes(StandardCharsets.UTF_8)));
        }
    }

    private Programs.Result bes(String... words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(Checkout.directory().resolve("bin/bes").toString()));
        command.addAll(List.of(words));
        return gateway.clients().run(command);
    }
}
