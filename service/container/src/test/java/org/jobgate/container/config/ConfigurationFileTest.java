// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class ConfigurationFileTest {

    @TempDir
    Path folder;

    private Path write(String yaml) throws IOException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, yaml);
        return file;
    }

    private List<String> problems(String yaml) throws IOException {
        Path file = write(yaml);
        ConfigurationException refusal = catchThrowableOfType(
                ConfigurationException.class, () -> ConfigurationFile.read(file, Map.of("PORT", "x")));
        assertThat(refusal).isNotNull();
        assertThat(refusal.problems()).allMatch(problem -> problem.startsWith(file.toString()));
        return refusal.problems().stream()
                .map(problem -> problem.substring(file.toString().length() + 2))
                .toList();
    }

    @Test
    void anUnknownNameIsRefusedAndTheNearestIsNamed() throws IOException {
        assertThat(problems("server: { prot: 1 }"))
                .containsExactly("server.prot: there is no such name; did you mean server.port?");
        assertThat(problems("limit: { }")).containsExactly("limit: there is no such name; did you mean limits?");
        assertThat(problems("lrms: [ { nmae: x } ]"))
                .containsExactly("lrms[0].nmae: there is no such name; did you mean lrms[0].name?");
    }

    @Test
    void aNameThatResemblesNothingIsAnsweredWithAllNames() throws IOException {
        assertThat(problems("monitoring: { zzzzzzzz: 1 }"))
                .containsExactly("monitoring.zzzzzzzz: there is no such name; there are access");
    }

    @Test
    void aNameThatDiedSaysWhatReplacedIt() {
        ConfigurationReader reader = new ConfigurationReader(
                Path.of("/f.yaml"), Map.of(), Map.of("server.bind", "it is called server.host now"));
        assertThatThrownBy(() -> reader.read(new JsonMapper().readTree("{\"server\":{\"bind\":\"x\"}}")))
                .hasMessage("/f.yaml: server.bind: is no more: it is called server.host now");
    }

    @Test
    void theFormerNamesOfTheSettingsForFileServersSayTheNewOnes() throws IOException {
        assertThat(problems("staging: { doors: [ ], doorSelection: random, doorPlugIn: x, doorProbeInterval: 1s }"))
                .containsExactly(
                        "staging.doors: is no more: it is called staging.servers now",
                        "staging.doorSelection: is no more: it is called staging.serverSelection now",
                        "staging.doorPlugIn: is no more: it is called staging.serverPlugIn now",
                        "staging.doorProbeInterval: is no more: it is called staging.serverProbeInterval now");
    }

    @Test
    void noDeadNameIsAliveAgain() {
        assertThat(ConfigurationFile.DEFUNCT.keySet())
                .noneMatch(name -> ConfigurationPage.render().contains("\n| `" + name + "` | text"));
    }

    @Test
    void aValueThatBreaksItsRuleIsNamedWithTheRule() throws IOException {
        assertThat(problems("server: { port: 70000, idleTimeout: 5, trustReload: 0s }"))
                .containsExactly(
                        "server.port = 70000: must be at most 65535",
                        "server.trustReload = 0s: must be at least 1s",
                        "server.idleTimeout = 5: must be a duration such as 250ms, 30s, 5m, 2h or 7d");
        assertThat(problems("limits: { maxBodyBytes: 10MB, maxCount: many }"))
                .containsExactly(
                        "limits.maxCount = many: must be a whole number",
                        "limits.maxBodyBytes = 10MB: must be a size such as 512B, 64KiB, 10MiB or 2GiB");
        assertThat(problems("log: { format: xml, access: yes please }"))
                .containsExactly(
                        "log.format = xml: must be one of text, json",
                        "log.access = yes please: must be true or false");
        assertThat(problems("server: { host: [a] }")).containsExactly("server.host = [\"a\"]: must be one value");
        assertThat(problems("server: 7")).containsExactly("server = 7: must hold settings, as `name: value`");
        assertThat(problems("lrms: []")).containsExactly("lrms = []: must be a list of 1 to 256 entries");
    }

    @Test
    void rulesBetweenSettingsAreChecked() throws IOException {
        assertThat(problems("store: { url: 'mysql:x' }"))
                .containsExactly("store: url must begin with sqlite: or jdbc:postgresql:");
        assertThat(problems("store: { url: 'jdbc:postgresql://db/x?password=hunter2' }"))
                .containsExactly("store: url must not hold a password; use passwordFile");
        assertThat(problems("store: { passwordFile: a }"))
                .containsExactly("store: user and passwordFile are for PostgreSQL only");
        assertThat(problems("lrms: [ { name: A }, { name: A } ]")).containsExactly("lrms: the name A is given twice");
        assertThat(problems("lrms: [ { name: A, spool: /s }, { name: B, spool: /s } ]"))
                .containsExactly(
                        "lrms: A and B have the same spool, /s; each LRM needs one of its own. Leave the setting out of one of them");
    }

    @Test
    void theEnvironmentIsPutInAndMustBeThere() throws IOException {
        Path file = write("server: { port: '${PORT}', publicName: '${NAME:gate}.example.org', host: '$${x}' }");
        ServerConfig server =
                ConfigurationFile.read(file, Map.of("PORT", "9000")).server();
        assertThat(server.port()).isEqualTo(9000);
        assertThat(server.publicName()).isEqualTo("gate.example.org");
        assertThat(server.host()).isEqualTo("${x}");
        assertThat(problems("server: { publicName: '${NOWHERE}' }"))
                .containsExactly(
                        "server.publicName = ${NOWHERE}: the environment variable NOWHERE is not set and no default is given");
        assertThat(problems("server: { port: '${PORT}' }"))
                .containsExactly("server.port = ${PORT}: must be a whole number");
    }

    @Test
    void theDumpShowsEveryValue() throws IOException {
        JobgateConfig config = ConfigurationFile.read(write("server: { idleTimeout: 90s }"), Map.of());
        assertThat(ConfigurationDump.lines(config))
                .contains(
                        "server.port = 8443",
                        "server.idleTimeout = 90s",
                        "server.crls = if-valid",
                        "store.user = (none)",
                        "lrms[0].name = Fork",
                        "limits.maxBodyBytes = 10MiB");
    }

    @Test
    void whatIsNotYamlIsRefusedWithItsPlace() throws IOException {
        Path file = write("server:\n  port: [1\n");
        assertThatThrownBy(() -> ConfigurationFile.read(file, Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(file + " line ");
        Path twice = write("server: {}\nserver: {}\n");
        assertThatThrownBy(() -> ConfigurationFile.read(twice, Map.of())).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> ConfigurationFile.read(folder.resolve("none"), Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("--config");
    }
}
