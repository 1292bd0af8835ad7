// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The Grafana dashboard and the alert rules under docker/monitoring name no metric that is not on the page of metrics, and what is there is in the code. */
class MonitoringFilesTest {

    private static final Path CHECKOUT = checkout();
    private static final Path FILES = CHECKOUT.resolve("docker/monitoring");
    private static final Path PAGE = CHECKOUT.resolve("docs/operate/metrics.md");
    private static final Pattern NAME = Pattern.compile("\\bjobgate_[a-z_]+[a-z]\\b");

    private static Path checkout() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("docker/monitoring"))) {
            here = requireNonNull(here.getParent(), "this is no checkout");
        }
        return here;
    }

    private static Set<String> names(String text) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = NAME.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }

    private static Set<String> named(List<String> expressions) {
        Set<String> names = new TreeSet<>();
        expressions.forEach(expression -> names.addAll(names(expression)));
        return names;
    }

    /** A histogram is on the page under its name, and read under three others. */
    private static String asOnThePage(String name) {
        return name.replaceFirst("_seconds_(bucket|count|sum)$", "_seconds");
    }

    private static List<String> expressions(JsonNode tree, String field) {
        List<String> found = new ArrayList<>();
        tree.findValues(field).forEach(value -> found.add(value.asString()));
        return found;
    }

    @Test
    void theDashboardNamesWhatIsOnThePage() throws IOException {
        List<String> expressions = expressions(
                new JsonMapper().readTree(FILES.resolve("dashboard.json").toFile()), "expr");
        assertThat(expressions).hasSizeGreaterThan(20);
        assertThat(named(expressions))
                .hasSizeGreaterThan(15)
                .allSatisfy(name -> assertThat(names(Files.readString(PAGE))).contains(asOnThePage(name)));
    }

    @Test
    void theRulesNameWhatIsOnThePage() throws IOException {
        List<String> expressions = expressions(
                YAMLMapper.builder()
                        .build()
                        .readTree(FILES.resolve("alerts.yaml").toFile()),
                "expr");
        assertThat(expressions).hasSizeGreaterThan(8);
        assertThat(named(expressions))
                .hasSizeGreaterThan(8)
                .allSatisfy(name -> assertThat(names(Files.readString(PAGE))).contains(asOnThePage(name)));
    }

    /** Micrometer makes the names of Prometheus of those in the code: dots become underscores, and the kind or unit is added. */
    @Test
    void whatIsOnThePageIsInTheCode() throws IOException {
        StringBuilder code = new StringBuilder();
        try (Stream<Path> sources =
                Files.walk(CHECKOUT.resolve("service/container/src/main/java/org/jobgate/container/metrics"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                code.append(Files.readString(source));
            }
        }
        String text = code.toString();
        assertThat(names(Files.readString(PAGE))).allSatisfy(name -> {
            String dotted =
                    name.replaceFirst("_(total|seconds|seconds_count)$", "").replace('_', '.');
            boolean isMade = text.contains('"' + dotted + '"') || dotted.startsWith("jobgate.door.");
            for (int dot = dotted.indexOf('.'); dot > 0 && !isMade; dot = dotted.indexOf('.', dot + 1)) {
                isMade = text.contains('"' + dotted.substring(0, dot + 1) + '"')
                        && text.contains('"' + dotted.substring(dot + 1) + '"');
            }
            assertThat(isMade).as(name).isTrue();
        });
    }

    @Test
    void promtoolTakesTheRulesAndTheyFireWhenTheyShould() throws IOException, InterruptedException {
        String promtool = System.getenv().getOrDefault("JOBGATE_PROMTOOL", "/usr/bin/promtool");
        assumeTrue(
                Files.isExecutable(Path.of(promtool)),
                "SKIPPED: " + promtool
                        + " is not there; on Debian: apt-get install prometheus, or name one in JOBGATE_PROMTOOL");
        run(promtool, "check", "rules", "alerts.yaml");
        run(promtool, "test", "rules", "alerts-test.yaml");
    }

    private static void run(String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words)
                .directory(FILES.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
