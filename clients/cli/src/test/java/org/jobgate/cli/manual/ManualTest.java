// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jobgate.cli.admin.JobgatePages;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.companion.Companions;
import org.jobgate.cli.globusrun.Usage;
import org.jobgate.cli.verbs.Verbs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With -Djobgate.docs=write the pages are written instead of compared. */
class ManualTest {
    private static final Path ROOT = Path.of(System.getProperty("jobgate.root"));
    private static final Path COMPLETION = ROOT.resolve("docs/completion/jobgate.bash");

    private static List<CommandPage> quickPages() {
        List<CommandPage> pages = new ArrayList<>();
        pages.add(Usage.page());
        pages.addAll(Companions.pages());
        return pages;
    }

    private static Map<Path, String> made() {
        Map<Path, String> made = new TreeMap<>();
        Path folder = ROOT.resolve("docs/man/man1");
        quickPages().forEach(page -> made.put(folder.resolve(page.name() + ".1"), Roff.quick(page)));
        CommandPage whole = JobgatePages.whole();
        CommandPage jobgate = new CommandPage(
                "jobgate",
                "Run jobs at a Jobgate server, or run and look after one",
                List.of("COMMAND [OPTION ...]"),
                List.of(
                        "Users say the first of the commands below, from anywhere, over REST with a certificate, proxy or token; docs/user/jobgate.md has"
                                + " more. Their exit status is that of globusrun-ws: a job's own, or 250 to 255.",
                        "The others are for the server's administrator, on the server's host, over its admin socket; docs/operate/jobgate-command.md"
                                + " has more."),
                whole.options(),
                List.of(
                        "jobgate submit --wait -c /bin/date",
                        "jobgate start --config /etc/jobgate/jobgate.yaml",
                        "jobgate job list"));
        made.put(folder.resolve("jobgate.1"), Roff.withParts(jobgate, leaves(allParts())));
        List<CommandPage> all = new ArrayList<>(quickPages());
        all.add(withVerbs(whole, "jobgate"));
        all.addAll(completed(JobgatePages.parts()));
        made.put(COMPLETION, Completion.of(all));
        return made;
    }

    /** First what users say, then what administrators do. */
    private static List<CommandPage> allParts() {
        List<CommandPage> parts = new ArrayList<>(Verbs.pages());
        parts.addAll(JobgatePages.parts());
        return parts;
    }

    /** For the completion: commands of commands list the verbs too, and a verb's own words are the files of the directory. */
    private static List<CommandPage> completed(List<CommandPage> parts) {
        List<CommandPage> pages = new ArrayList<>();
        parts.forEach(part -> pages.add(part.name().equals("jobgate job") ? withVerbs(part, part.name()) : part));
        Verbs.pages().forEach(verb -> pages.add(withWords(verb, List.of())));
        return pages;
    }

    private static CommandPage withVerbs(CommandPage page, String name) {
        Set<String> words = new TreeSet<>(page.synopsis());
        Verbs.pages().stream()
                .filter(verb -> verb.name().startsWith(name + " "))
                .map(verb -> verb.name().substring(name.length() + 1).split(" ", 2)[0])
                .forEach(words::add);
        return withWords(page, List.copyOf(words));
    }

    private static CommandPage withWords(CommandPage page, List<String> words) {
        List<String> sorted = words.stream().sorted().toList();
        return new CommandPage(
                page.name(), page.summary(), sorted, page.description(), page.options(), page.examples());
    }

    /** Commands of commands are only ways to the others. */
    private static List<CommandPage> leaves(List<CommandPage> parts) {
        return parts.stream()
                .filter(part -> parts.stream().noneMatch(other -> other.name().startsWith(part.name() + " ")))
                .toList();
    }

    @Test
    void pagesAndCompletionAreThoseOfTheTables() throws IOException {
        for (Map.Entry<Path, String> page : made().entrySet()) {
            if ("write".equals(System.getProperty("jobgate.docs"))) {
                Files.createDirectories(page.getKey().getParent());
                Files.writeString(page.getKey(), page.getValue());
            }
            assertThat(page.getKey())
                    .as("stale; write it anew: mvn -pl clients/cli test -Dtest=ManualTest -Djobgate.docs=write")
                    .exists()
                    .content(StandardCharsets.UTF_8)
                    .isEqualTo(page.getValue());
        }
    }

    @Test
    void everyLauncherHasAPageAndEveryPageALauncher() throws IOException {
        try (var entries = Files.list(ROOT.resolve("bin"));
                var pages = Files.list(ROOT.resolve("docs/man/man1"))) {
            List<String> launchers = entries.map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(".sh"))
                    .toList();
            assertThat(pages.map(file -> file.getFileName().toString().replaceFirst("\\.1$", "")))
                    .containsExactlyInAnyOrderElementsOf(launchers);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "globusrun-ws -sub | -submit -submission-id -submission-id-file -submission-id-output-file -subject -subject-authz",
                "globusrun-ws -str | -streaming -streaming-out -streaming-err -stream-files",
                "wsrf-destroy --epr | --eprFile",
                "globusrun-ws -f ManualTe | ''",
                "wsrf-get-property -z ho | ''",
                "jobgate sto | stop",
                "jobgate sub | submit",
                "jobgate job resu | resume",
                "jobgate submit --arr | --array",
                "jobgate job l | list",
                "jobgate job list --acc | --account",
            })
    void bashCompletes(String words, String expected) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no /bin/bash: SKIPPED");
        String script = ". '" + COMPLETION + "'; COMP_WORDS=(" + words
                + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _jobgate_complete; echo ${COMPREPLY[*]}";
        Process bash = new ProcessBuilder("/bin/bash", "-c", script)
                .redirectErrorStream(true)
                .start();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output.strip()).isEqualTo(expected);
    }

    @Test
    void groffReadsEveryPageWithoutAWarning() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")), "no /usr/bin/groff: SKIPPED");
        for (Map.Entry<Path, String> page : made().entrySet()) {
            if (page.getKey().toString().endsWith(".1")) {
                Process groff = new ProcessBuilder("/usr/bin/groff", "-man", "-Tascii", "-ww", "-z")
                        .redirectErrorStream(true)
                        .start();
                try (var in = groff.getOutputStream()) {
                    in.write(page.getValue().getBytes(StandardCharsets.UTF_8));
                }
                assertThat(new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .as(page.getKey().toString())
                        .isEmpty();
            }
        }
    }
}
