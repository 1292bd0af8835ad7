// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jobgate.job.EnvironmentVariable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every description that a real client was seen to send, as kept beside the project in {@code ../shared/captures}. */
class CapturedDescriptionsTest {

    private static final Pattern DESCRIPTION =
            Pattern.compile("<(adl:)?ActivityDescription\\b.*?</\\1?ActivityDescription>", Pattern.DOTALL);

    private static final Map<String, List<String>> CAPTURED = new TreeMap<>();

    @BeforeAll
    static void find() throws IOException {
        Path captures = Path.of("../../../shared/captures").toAbsolutePath().normalize();
        assumeTrue(
                Files.isDirectory(captures),
                "SKIPPED: there is no " + captures + ", so that no captured description is read");
        for (String folder : List.of("arc", "condor-g")) {
            try (Stream<Path> files = Files.list(captures.resolve(folder))) {
                for (Path file :
                        files.filter(one -> one.toString().endsWith(".txt")).toList()) {
                    Matcher matcher = DESCRIPTION.matcher(Files.readString(file));
                    List<String> found = new ArrayList<>();
                    while (matcher.find()) {
                        found.add(matcher.group()
                                .replace("</ActivityDescription>", "</" + prefix(matcher) + "ActivityDescription>"));
                    }
                    CAPTURED.put(file.getFileName().toString(), found);
                }
            }
        }
    }

    private static String prefix(Matcher matcher) {
        return matcher.group(1) == null ? "" : matcher.group(1);
    }

    @Test
    void allAreReadButTheOneWithAnElementThatDoesNotExist() {
        List<String> refused = new ArrayList<>();
        int read = 0;
        for (List<String> texts : CAPTURED.values()) {
            for (String text : texts) {
                for (AdlReader.Result result : new AdlReader(Adl.SITE).readAll(text)) {
                    if (result.fault() == null) {
                        read++;
                    } else {
                        refused.add(result.fault().sentence());
                    }
                }
            }
        }
        assertThat(read).isGreaterThanOrEqualTo(5);
        assertThat(refused)
                .containsExactly(
                        "The element Wallclock of the job description is wrong: there is no such element in Resources.");
    }

    @Test
    void whatHtcondorSendsIsTheJobThatItsUserDescribed() {
        Activity activity = Adl.read(
                CAPTURED.getOrDefault("condor-23.9.6-arc-x509.txt", List.of()).getFirst());

        assertThat(activity.description().executable()).isEqualTo("run.sh");
        assertThat(activity.description().arguments()).containsExactly("x", "y z");
        assertThat(activity.description().environment())
                .containsExactly(new EnvironmentVariable("BAZ", "q"), new EnvironmentVariable("FOO", "bar"));
        assertThat(activity.description().stdout()).isEqualTo("_arc_stdout");
        assertThat(activity.description().queue()).isEqualTo("fork");
        assertThat(activity.description().maxMemoryMiB()).isEqualTo(200);
        assertThat(activity.uploads())
                .containsExactly(
                        new Activity.Upload("data.txt", false, null), new Activity.Upload("run.sh", true, null));
        assertThat(activity.kept()).containsExactly("result.txt", "_arc_stdout", "_arc_stderr");
    }
}
