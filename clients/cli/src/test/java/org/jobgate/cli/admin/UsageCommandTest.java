// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class UsageCommandTest {

    private static final List<String> OF_THE_LAUNCHER = List.of("jobgate.prefix", "jobgate.home", "jobgate.server.lib");
    private static final String ROWS = "{\"rows\":["
            + "{\"user\":\"/CN=Alice, <b>&\",\"month\":\"2026-10\",\"jobs\":2,\"done\":1,\"failed\":1,\"cancelled\":0,\"uncharged\":3,"
            + "\"wall_ms\":3600000,\"slot_ms\":7200000,\"cpu_ms\":5400000,\"unmeasured\":0},"
            + "{\"user\":\"=cmd\",\"month\":\"2026-11\",\"jobs\":1,\"done\":1,\"failed\":0,\"cancelled\":0,\"uncharged\":0,"
            + "\"wall_ms\":1000,\"slot_ms\":1000,\"cpu_ms\":900,\"unmeasured\":1}]}";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void pretendToBeLaunched() {
        OF_THE_LAUNCHER.forEach(name -> System.setProperty(name, folder.toString()));
    }

    @AfterEach
    void stopPretending() {
        OF_THE_LAUNCHER.forEach(System::clearProperty);
    }

    private int run(Map<String, String> answers, String... words) throws Exception {
        Path configuration = Files.writeString(folder.resolve("jobgate.yaml"), "state: { directory: . }\n");
        String[] all = Arrays.copyOf(words, words.length + 2);
        all[words.length] = "--config";
        all[words.length + 1] = configuration.toString();
        Files.deleteIfExists(folder.resolve("admin.sock"));
        try (AdminStub server = new AdminStub(folder.resolve("admin.sock"), answers)) {
            return Jobgate.commandLine()
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(all);
        }
    }

    private String usage(String... words) throws Exception {
        String[] all = new String[words.length + 1];
        all[0] = "usage";
        System.arraycopy(words, 0, all, 1, words.length);
        out.getBuffer().setLength(0);
        assertThat(run(Map.of("GET /audit/usage?by=user%2Cmonth", ROWS), all))
                .as(err.toString())
                .isZero();
        return out.toString();
    }

    @Test
    void sumsAreShownInHours() throws Exception {
        assertThat(usage().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "USER MONTH JOBS DONE FAILED CANCELLED WALL-H SLOT-H CPU-H NOT-CHARGED",
                        "/CN=Alice, <b>& 2026-10 2 1 1 0 1.00 2.00 1.50 3",
                        "=cmd 2026-11 1 1 0 0 0.00 0.00 0.00 0");
    }

    @Test
    void spreadsheetsReadThemAsTexts() throws Exception {
        assertThat(usage("--format", "csv").split("\r\n", -1))
                .containsExactly(
                        "user,month,jobs,done,failed,cancelled,uncharged,wall_ms,slot_ms,cpu_ms,unmeasured",
                        "\"/CN=Alice, <b>&\",2026-10,2,1,1,0,3,3600000,7200000,5400000,0",
                        "'=cmd,2026-11,1,1,0,0,0,1000,1000,900,1",
                        "");
    }

    @Test
    void theyAreJsonAndAPlotToo() throws Exception {
        assertThat(usage("--format", "json")).contains("\"slot_ms\" : 7200000");
        String svg = usage("--format", "svg");
        DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        var document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(document.getDocumentElement().getLocalName()).isEqualTo("svg");
        assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(4);
        assertThat(document.getElementsByTagName("script").getLength()).isZero();
        assertThat(document.getDocumentElement().getTextContent()).contains("/CN=Alice, <b>& · 2026-10", "2.00 h");
    }

    @Test
    void blahsLogInADirectoryGrowsByWhatIsNew() throws Exception {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        String common =
                "GET /audit/usage/records?site=SITE&submitHost=gw.example.org&benchmark=HEPSPEC&benchmarkValue=1.0&withhold=false"
                        + "&format=blah&order=recorded";
        Map<String, String> answers = Map.of(
                "GET /status",
                "{\"url\":\"https://gw.example.org:8443/\"}",
                common,
                "{\"jobs\":2,\"text\":\"a\\nb\\n\",\"after\":\"17-ab\"}",
                common + "&after=17-ab",
                "{\"jobs\":0,\"text\":\"\"}");
        String[] words = {"usage", "records", "--site", "SITE", "--format", "blah", "--directory", logs.toString()};
        for (int i = 0; i < 2; i++) {
            assertThat(run(answers, words)).as(err.toString()).isZero();
        }
        try (Stream<Path> made = Files.list(logs)) {
            List<Path> visible = made.filter(
                            file -> !file.getFileName().toString().startsWith("."))
                    .toList();
            assertThat(visible).hasSize(1);
            assertThat(visible.getFirst().getFileName().toString()).matches("blahp\\.log-[0-9]{8}");
            assertThat(visible.getFirst()).hasContent("a\nb\n");
        }
    }

    @Test
    void recordsAreWrittenToFilesOfTheSameNamesEachTime() throws Exception {
        Path queue = Files.createDirectory(folder.resolve("queue"));
        String common =
                "GET /audit/usage/records?site=SITE&submitHost=gw.example.org&benchmark=HEPscore23&benchmarkValue=12.5"
                        + "&withhold=false&format=apel&until=2026-12-01T00%3A00%3A00Z";
        Map<String, String> answers = Map.of(
                "GET /status",
                "{\"url\":\"https://gw.example.org:8443/\"}",
                common,
                "{\"jobs\":2,\"text\":\"APEL-individual-job-message: v0.3\\n%%\\n\",\"after\":\"17-ab\"}",
                common + "&after=17-ab",
                "{\"jobs\":1,\"text\":\"\",\"after\":\"18-ac\"}",
                common + "&after=18-ac",
                "{\"jobs\":0,\"text\":\"\"}");
        for (int i = 0; i < 2; i++) {
            assertThat(run(
                            answers,
                            "usage",
                            "records",
                            "--site",
                            "SITE",
                            "--benchmark",
                            "HEPscore23:12.5",
                            "--format",
                            "apel",
                            "--until",
                            "2026-12-01T00:00:00Z",
                            "--directory",
                            queue.toString()))
                    .as(err.toString())
                    .isZero();
        }
        try (var files = Files.list(queue)) {
            assertThat(files).containsExactly(queue.resolve("apel-17-ab"));
        }
        assertThat(queue.resolve("apel-17-ab")).hasContent("APEL-individual-job-message: v0.3\n%%\n");
    }

    @Test
    void aMonthsSumsAreWrittenForApel() throws Exception {
        assertThat(run(
                        Map.of(
                                "GET /audit/usage/month?site=S&submitHost=h&benchmark=HEPSPEC&benchmarkValue=1.0&withhold=true&month=2026-11",
                                "{\"summary\":\"SUM\\n\",\"sync\":\"SYNC\\n\"}"),
                        "usage",
                        "summary",
                        "--site",
                        "S",
                        "--submit-host",
                        "h",
                        "--withhold-subjects",
                        "--month",
                        "2026-11"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).isEqualTo("SUM\nSYNC\n");
    }
}
