// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Debian's clients of SRM against a gateway with a tree: gfal2 over httpg, ARC's over httpg and https, zeep with our own description. All
 * that is copied goes by https.
 */
class SrmClientsIT {

    @TempDir
    static Path exported;

    @TempDir
    Path folder;

    private static Gateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway =
                Gateway.startWith("fileTrees: [ { name: work, path: \"%s\", writable: true } ]%n".formatted(exported));
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    @BeforeEach
    void empty() throws Exception {
        try (Stream<Path> all = Files.walk(exported)) {
            for (Path one : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                if (!one.equals(exported)) {
                    Files.delete(one);
                }
            }
        }
    }

    private static String url(String path) {
        return "srm://localhost:" + gateway.port() + "/srm/v2/server?SFN=/work" + path;
    }

    private static Programs.Result run(String program, String... words) throws Exception {
        Path found = Path.of("/usr/bin", program);
        assumeTrue(
                Files.isExecutable(found),
                "SKIPPED: no " + program + " (Debian: gfal2-util-scripts, gfal2-plugin-srm, gfal2-plugin-http,"
                        + " gfal2-plugin-file; nordugrid-arc-client, nordugrid-arc-plugins-needed)");
        // gfal2's programs take the first python of the path, which may be another than Debian's, for which gfal2's
        // modules are installed
        List<String> command =
                new ArrayList<>(List.of("/usr/bin/env", "GFAL_PYTHONBIN=/usr/bin/python3", found.toString()));
        command.addAll(Arrays.asList(words));
        return gateway.clients().run(command);
    }

    private static String well(String program, String... words) throws Exception {
        Programs.Result result = run(program, words);
        assertThat(result.status())
                .as("%s %s: %s", program, List.of(words), result.output())
                .isZero();
        return result.output();
    }

    private Path file(String name, int size) throws Exception {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return Files.write(folder.resolve(name), content);
    }

    private static List<String> there() throws Exception {
        try (Stream<Path> names = Files.list(exported)) {
            return names.map(name -> name.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void gfal2ListsCopiesBothWaysAndRemoves() throws Exception {
        Path file = file("data", 300_000);
        well("gfal-mkdir", url("/new"));
        assertThat(exported.resolve("new")).isDirectory();
        well("gfal-copy", "file://" + file, url("/new/data"));
        assertThat(Files.mismatch(exported.resolve("new/data"), file)).isEqualTo(-1);
        assertThat(well("gfal-ls", url("/new/")).strip()).isEqualTo("data");
        assertThat(well("gfal-ls", "-l", url("/new/"))).contains("300000").contains("data");
        assertThat(well("gfal-stat", url("/new/data"))).contains("300000").contains("regular file");
        assertThat(well("gfal-sum", url("/new/data"), "ADLER32").strip()).matches(".*\\s[0-9a-f]{8}$");
        well("gfal-copy", url("/new/data"), "file://" + folder.resolve("back"));
        assertThat(Files.mismatch(folder.resolve("back"), file)).isEqualTo(-1);
        Path other = file("other", 1000);
        assertThat(run("gfal-copy", "file://" + other, url("/new/data")).status())
                .isNotZero();
        well("gfal-copy", "-f", "file://" + other, url("/new/data"));
        assertThat(Files.mismatch(exported.resolve("new/data"), other)).isEqualTo(-1);
        well("gfal-rename", url("/new/data"), url("/new/again"));
        well("gfal-rm", url("/new/again"));
        well("gfal-rm", "-r", url("/new"));
        assertThat(there()).isEmpty();
        assertThat(run("gfal-ls", url("/none")).output()).contains("No such file or directory");
    }

    @Test
    void arcListsCopiesBothWaysAndRemoves() throws Exception {
        Path file = file("data", 300_000);
        for (String options : List.of("", ";protocol=tls")) {
            String base = "srm://localhost:" + gateway.port() + options + "/srm/managerv2?SFN=/work";
            well("arcmkdir", base + "/new");
            well("arccp", file.toString(), base + "/new/data");
            assertThat(Files.mismatch(exported.resolve("new/data"), file)).isEqualTo(-1);
            assertThat(well("arcls", "-l", base + "/new")).contains("data").contains("300000");
            Path back = folder.resolve("back" + options.length());
            well("arccp", base + "/new/data", back.toString());
            assertThat(Files.mismatch(back, file)).isEqualTo(-1);
            well("arcrename", base + "/new/data", base + "/new/again");
            assertThat(exported.resolve("new/again")).exists();
            well("arcrm", base + "/new/again");
            well("arcrm", base + "/new");
            assertThat(there()).isEmpty();
        }
    }

    @Test
    void zeepReadsOurDescriptionAndAsks() throws Exception {
        Programs clients = gateway.clients();
        String python = Zeep.python(clients);
        Files.writeString(exported.resolve("f"), "hello");
        String said = clients.runWell(List.of(
                python,
                Checkout.file("src/test/python/srm.py").toString(),
                "https://localhost:" + gateway.port() + "/srm/v2/server",
                gateway.proxy().toString()));
        assertThat(said).contains("version v2.2", "code SRM_SUCCESS", "path /work/f 5 FILE");
    }
}
