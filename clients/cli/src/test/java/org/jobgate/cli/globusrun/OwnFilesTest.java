// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ProgressBar;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnFilesTest {

    private static final String ID = "9a9e1f32-d3b7-4f0a-8a6d-1c1b0a6c7f11";

    @TempDir
    private Path folder;

    private String in = "";

    @BeforeEach
    void write() throws Exception {
        in = Files.writeString(folder.resolve("in"), "x").toString();
    }

    private static String copy(String from, String to) {
        return "<transfer><sourceUrl>" + from + "</sourceUrl><destinationUrl>" + to + "</destinationUrl></transfer>";
    }

    private OwnFiles of(String parts, String... options) throws Exception {
        Path file = Files.writeString(folder.resolve("job.xml"), "<job><executable>x</executable>" + parts + "</job>");
        String[] words = {"-submit", "-I", ID, "-f", file.toString()};
        String[] all = new String[words.length + options.length];
        System.arraycopy(words, 0, all, 0, words.length);
        System.arraycopy(options, 0, all, words.length, options.length);
        CommandLine line = CommandLine.parse(all);
        return OwnFiles.of(
                Submission.of(line, Clock.systemUTC()),
                new OwnNames(line.has(Option.LOCAL_FILES)),
                Streaming.isAskedFor(line));
    }

    private static XmlElement job(OwnFiles files) throws Exception {
        return JobDescriptionFile.parsed(files.description());
    }

    @Test
    void whatNamesNoFileOfOursIsSentAsItIs() throws Exception {
        OwnFiles files = of("<fileStageIn>" + copy("gsiftp://h/a", "file:///b") + copy("file:///a", "file:///c")
                + copy("${HERE}/a", "file:///d") + "</fileStageIn>");
        assertThat(files.isAny()).isFalse();
        assertThat(job(files).child(Names.TYPES, "holdState")).isNull();
        assertThat(files.description()).contains("${HERE}/a").doesNotContain("extensions");
    }

    @Test
    void oursAreTakenOutAndTheJobIsHeldForThem() throws Exception {
        OwnFiles files =
                of("<fileStageIn><maxAttempts>2</maxAttempts>" + copy(in, "a") + copy("gsiftp://h/a", "file:///b")
                        + "</fileStageIn><fileStageOut>" + copy("sub/o%20u", "client:back%20here") + "</fileStageOut>"
                        + "<extensions><mine>1</mine></extensions>");
        assertThat(files.inputs()).containsExactly(new OwnFiles.Copy(Path.of(in), "a"));
        assertThat(files.outputs()).containsExactly(new OwnFiles.Copy(Path.of("back here"), "sub/o%20u"));
        assertThat(files.releasesAtEnd()).isTrue();
        XmlElement job = job(files);
        assertThat(job.childText(Names.TYPES, "holdState")).isEqualTo("StageIn");
        assertThat(job.child(Names.DESCRIPTION, "fileStageOut")).isNull();
        XmlElement stageIn = Objects.requireNonNull(job.child(Names.DESCRIPTION, "fileStageIn"));
        assertThat(stageIn.children()).hasSize(2);
        assertThat(stageIn.childText(Names.RFT, "maxAttempts")).isEqualTo("2");
        assertThat(job.childText(Names.DESCRIPTION, "directory")).isEqualTo("${GLOBUS_SCRATCH_DIR}/" + ID);
        assertThat(files.description())
                .contains("file:///${GLOBUS_SCRATCH_DIR}/" + ID + "/</file>")
                .contains(">1</mine>", ">CleanUp</holdAgain>");
    }

    @Test
    void aDirectoryThatIsNamedStaysAndAHoldThatIsAskedForComesAfterwards() throws Exception {
        OwnFiles files = of("<directory>${GLOBUS_USER_HOME}/run</directory><holdState>Pending</holdState><fileStageIn>"
                + copy(in, "file:///${GLOBUS_USER_HOME}//run/x/y") + "</fileStageIn>");
        assertThat(files.inputs()).containsExactly(new OwnFiles.Copy(Path.of(in), "x/y"));
        assertThat(files.releasesAtEnd()).isFalse();
        assertThat(files.description()).doesNotContain("fileCleanUp").contains(">Pending</holdAgain>");
        // the hold of -s is ours to release
        assertThat(of("<fileStageIn>" + copy(in, "y") + "</fileStageIn>", "-s").releasesAtEnd())
                .isTrue();
    }

    /** With -b nobody would release it: a job whose files are only brought ended at CleanUp-Hold. */
    @Test
    void aJobOfWhichNothingIsFetchedIsHeldForItsInputAlone() throws Exception {
        XmlElement job = job(of("<fileStageIn>" + copy(in, "y") + "</fileStageIn>", "-b"));
        assertThat(job.childText(Names.TYPES, "holdState")).isEqualTo("StageIn");
        assertThat(job.child(Names.DESCRIPTION, "extensions")).isNull();
        assertThat(Streaming.isHeldBeforeCleanUp(job)).isFalse();
        // -monitor -s shows its output later, and releases it
        XmlElement shown = job(of("<fileStageIn>" + copy(in, "y") + "</fileStageIn>", "-b", "-s"));
        assertThat(shown.childText(Names.TYPES, "holdState")).isEqualTo("StageIn");
        assertThat(Streaming.isHeldBeforeCleanUp(shown)).isTrue();
    }

    @Test
    void urlsOfFilesAreOursWithTheOptionOnly() throws Exception {
        String parts = "<fileStageIn>" + copy("file://" + in, "a") + "</fileStageIn>";
        assertThat(of(parts).isAny()).isFalse();
        assertThat(of(parts, "-local-files").inputs()).containsExactly(new OwnFiles.Copy(Path.of(in), "a"));
    }

    @ParameterizedTest
    @CsvSource({
        "client:/etc/,a,is a directory",
        "client:,a,is a directory",
        "/etc/hostname,../a,is no way",
        "/etc/hostname,a/./,is no way",
        "/etc/hostname,./,is no way",
        "/etc/hostname,file:///${GLOBUS_SCRATCH_DIR}/9a9e1f32-d3b7-4f0a-8a6d-1c1b0a6c7f11/a%2F..%2F..%2Fb,is no way",
        "/etc/hostname,file:///${GLOBUS_SCRATCH_DIR}/9a9e1f32-d3b7-4f0a-8a6d-1c1b0a6c7f11/a%00,has a NUL",
        "/etc/hostname,file:///a%,is no URL",
        "client:caf%e9,a,is not UTF-8",
        "mailto:me,a,is not there",
        "/etc/hostname,/a,is not below",
        "/etc/hostname,gsiftp://h/a,is not below",
        "/etc/hostname,file:///elsewhere/a,is not below the job's directory",
        "/no/such/file,a,is not there",
        "client:%zz,a,is no URL",
    })
    void whatCannotBeIsSaid(String from, String to, String why) {
        assertThatThrownBy(() -> of("<fileStageIn>" + copy(from, to) + "</fileStageIn>"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource({
        "a:b, x:y/z:1, x:y/z:1",
        "./a:b, ./x, x",
        "client:a:b, .//x//./y, x/y",
        "client:a%3Ab, '100%25 sure', '100%25 sure'",
        "client:./q%3F%23, a%b\\c, a%b\\c",
        "client:q?#, file:///${GLOBUS_SCRATCH_DIR}/%s/my%20dir//100%25%09/./x, my dir/100%\t/x",
    })
    void aNameIsAnythingThatAFileIsNamed(String from, String to, String below) throws Exception {
        String local = from.startsWith("client:") ? from.substring("client:".length()) : from;
        String name = local.replaceFirst("^\\./", "")
                .replace("%3A", ":")
                .replace("%3F", "?")
                .replace("%23", "#");
        Files.writeString(folder.resolve(name), "x");
        String source = from.startsWith("client:") ? "client:" + folder + "/" + local : folder + "/" + local;
        OwnFiles files = of("<fileStageIn>" + copy(source, to.replace("/%s/", "/" + ID + "/")) + "</fileStageIn>");
        OwnFiles.Copy copy = files.inputs().getFirst();
        assertThat(copy.below()).isEqualTo(below.replace("\\t", "\t"));
        assertThat(copy.local()).hasContent("x");
    }

    /** A relative path with a colon is not taken for a URL of an unknown scheme. */
    @Test
    void aPlainNameMayHaveAColon() throws Exception {
        OwnNames names = new OwnNames(false);
        assertThat(names.own("data:1.txt")).isEqualTo(Path.of("data:1.txt"));
        assertThat(names.own("gsiftp://h/x")).isNull();
        assertThat(names.own("file:/x")).isNull();
        assertThat(OwnNames.below("run:1/out", "/d")).isEqualTo("run:1/out");
    }

    @Test
    void directoriesOfADescriptionAreNamedToTheLetterAndInUrlsEncoded() throws Exception {
        assertThat(OwnNames.below("file:///home/my%20dir/100%25/x", "/home/my dir/100%"))
                .isEqualTo("x");
        assertThat(OwnNames.below("file:///home/my dir/x", "/home/my dir/")).isEqualTo("x");
    }

    /** All of it, and nothing else than -submit says, before there is a job. */
    @Test
    void validateTellsTheSame() throws Exception {
        String wrong = "<fileStageIn>" + copy("/no/such/file", "a") + copy(in, "../b") + copy("client:%zz", "c")
                + "</fileStageIn><fileStageOut>" + copy("x", folder + "/none/out") + "</fileStageOut>";
        String description =
                JobDescriptionFile.qualified(("<job><executable>x</executable>" + wrong + "</job>").getBytes(UTF_8));
        List<String> problems = DescriptionCheck.problems(description, new OwnNames(false));
        assertThat(problems).hasSize(4);
        assertThatThrownBy(() -> of(wrong)).hasMessage(String.join("\n", problems));
        String ofMulti = JobDescriptionFile.qualified(("<multiJob><job><executable>x</executable><fileStageIn>"
                        + copy(in, "a") + "</fileStageIn></job></multiJob>")
                .getBytes(UTF_8));
        assertThat(DescriptionCheck.problems(ofMulti, new OwnNames(false)))
                .containsExactly("Files of your own machine are for single jobs, not for a multiJob.");
        String good = JobDescriptionFile.qualified(("<job><executable>x</executable><fileStageIn>" + copy(in, "a")
                        + "</fileStageIn><fileStageOut>" + copy("a", folder + "/out") + "</fileStageOut></job>")
                .getBytes(UTF_8));
        assertThat(DescriptionCheck.problems(good, new OwnNames(false))).isEmpty();
    }

    @Test
    void theHoldThatBringsThemIsNobodyElses() {
        assertThatThrownBy(() -> of("<holdState>StageIn</holdState><fileStageIn>" + copy(in, "a") + "</fileStageIn>"))
                .hasMessageContaining("holdState StageIn");
    }

    @Test
    void namesStandInAddressesAsTheyMay() {
        assertThat(InputAccess.encoded("a b/%ä\n?#")).isEqualTo("a%20b/%25%c3%a4%0a%3f%23");
    }

    @Test
    void theBarIsForPeopleAndTheLastLineForAll() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        Console console = new Console(
                "x", new PrintStream(out, true, UTF_8), new PrintStream(errors, true, UTF_8), false, () -> true);
        ProgressBar bar = new ProgressBar(console, "in", 4L << 20);
        Thread.sleep(250);
        bar.at(1L << 20);
        assertThat(errors.toString(UTF_8)).startsWith("in [######                  ] 25 %, ");
        bar.at(4L << 20);
        bar.done("sent");
        assertThat(out.toString(UTF_8)).isEqualTo("File in sent: 4194304 bytes.\n");
    }
}
