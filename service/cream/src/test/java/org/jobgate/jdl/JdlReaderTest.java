// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Gpus;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobType;
import org.jobgate.job.OutputOptions;
import org.jobgate.job.Transfer;
import org.jobgate.limits.JobLimits;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What a JDL says, as a job. */
class JdlReaderTest {

    private static final Path CAPTURES =
            Path.of("../../../shared/captures/cream/glite-ce-cream-cli-1.15.4-requests.txt");

    private static Transfer copy(String from, String to) {
        return new Transfer(from, to);
    }

    @Test
    void readsWhatTheCommandLineOfCreamSends() {
        Jdl jdl = new JdlReader(JobLimits.defaults())
                .readAddressed(
                        "[ QueueName = \"long\"; Environment = { \"A=1\",\"B=2\" }; OutputSandboxBaseDestURI = \"gsiftp://localhost\"; OutputSandbox = { \"out.txt\",\"err.txt\" }; StdError = \"err.txt\"; StdOutput = \"out.txt\"; BatchSystem = \"pbs\"; Arguments = \"hello world\"; CpuNumber = 2; Executable = \"/bin/echo\" ]");
        JobDescription job = jdl.description(JdlTexts.PLACES);

        assertThat(jdl.lrm()).isEqualTo("pbs");
        assertThat(jdl.uploads()).isEmpty();
        assertThat(jdl.keepsOutput()).isTrue();
        assertThat(jdl.ignored()).isEmpty();
        assertThat(job.executable()).isEqualTo("/bin/echo");
        assertThat(job.arguments()).containsExactly("hello", "world");
        assertThat(job.directory()).isEqualTo("/scratch/work");
        assertThat(job.stdin()).isNull();
        assertThat(job.stdout()).isEqualTo("/scratch/work/out.txt");
        assertThat(job.stderr()).isEqualTo("/scratch/work/err.txt");
        assertThat(job.queue()).isEqualTo("long");
        assertThat(job.environment())
                .containsExactly(new EnvironmentVariable("A", "1"), new EnvironmentVariable("B", "2"));
        // one program that has two processors
        assertThat(job.jobType()).isEqualTo(JobType.SINGLE);
        assertThat(job.count()).isEqualTo(1);
        assertThat(job.resources())
                .isNotNull()
                .satisfies(resources -> assertThat(resources.slots()).isEqualTo(2));
        assertThat(job.transfers().stageIn()).containsExactly(copy("empty:///", "file:///scratch/work/"));
        assertThat(job.transfers().stageOut())
                .containsExactly(
                        copy("file:///scratch/work/out.txt", "file:///scratch/out/out.txt"),
                        copy("file:///scratch/work/err.txt", "file:///scratch/out/err.txt"));
        assertThat(job.transfers().cleanUp()).containsExactly("file:///scratch/work/");
    }

    /** Every description that the real command line was seen to send (facts/cream.md, section 13). */
    @Test
    void readsEveryCapturedDescription() throws IOException {
        Assumptions.assumeTrue(Files.exists(CAPTURES), "no captures beside the checkout: " + CAPTURES);
        List<Jdl> read = Pattern.compile("<CREAMTYPES:JDL>([^<]*)</CREAMTYPES:JDL>")
                .matcher(Files.readString(CAPTURES))
                .results()
                .map(found -> new JdlReader(JobLimits.defaults()).readAddressed(found.group(1)))
                .toList();

        assertThat(read)
                .extracting(Jdl::lrm, Jdl::queue, Jdl::uploads, Jdl::ignored)
                .containsExactly(
                        tuple("pbs", "long", List.of(), List.of()),
                        tuple("pbs", "long", List.of(), List.of()),
                        tuple("slurm", "short", List.of("run.sh"), List.of()));
        assertThat(read.getLast().description(JdlTexts.PLACES).executable()).isEqualTo("/scratch/work/run.sh");
    }

    @Test
    void readsNamesInAnyCaseCommentsAndNoBrackets() {
        JobDescription job = JdlTexts.job("""
                # a comment = "x";
                EXECUTABLE = "/bin/echo"; // another
                arguments /* between */ = "a;b // no comment";
                """);

        assertThat(job.executable()).isEqualTo("/bin/echo");
        assertThat(job.arguments()).containsExactly("a;b", "//", "no", "comment");
    }

    @Test
    void wordsOfArgumentsAreQuotedAsInAShellThatReplacesNothing() {
        JobDescription job = JdlTexts.with(
                "Arguments = \"one 'two three' \\\"four \\\\\\\"5\\\\\\\"\\\" si\\\\ x '' $HOME *.txt `id`\"");

        assertThat(job.arguments())
                .containsExactly("one", "two three", "four \"5\"", "si x", "", "$HOME", "*.txt", "`id`");
    }

    @Test
    void filesComeFromTheClientFromServersAndFromTheBase() {
        Jdl jdl = JdlTexts.read("""
                Executable = "run.sh"; StdInput = "in put";
                InputSandbox = { "/home/me/run.sh", "file:///home/me/in%20put", "gsiftp://se/a/one?DN=/O=Grid/CN=se",
                                 "https://web/two", "sub/three" };
                InputSandboxBaseURI = "gsiftp://wms/box/"
                """);

        assertThat(jdl.uploads()).containsExactly("run.sh", "in put");
        assertThat(jdl.description(JdlTexts.PLACES).transfers().stageIn())
                .containsExactly(
                        copy("empty:///", "file:///scratch/work/"),
                        copy("file:///scratch/in/run.sh", "file:///scratch/work/run.sh"),
                        copy("file:///scratch/in/in%20put", "file:///scratch/work/in%20put"),
                        new Transfer(
                                "gsiftp://se/a/one",
                                "file:///scratch/work/one",
                                Map.of("sourceSubjectName", "/O=Grid/CN=se")),
                        copy("https://web/two", "file:///scratch/work/two"),
                        copy("gsiftp://wms/box/sub/three", "file:///scratch/work/three"));
        assertThat(jdl.description(JdlTexts.PLACES).stdin()).isEqualTo("/scratch/work/in put");
    }

    @Test
    void oneFileNeedNoListAroundIt() {
        assertThat(JdlTexts.read("Executable = \"a\"; InputSandbox = \"/x/a\"").uploads())
                .containsExactly("a");
    }

    @Test
    void filesGoToTheirOwnPlacesOrBelowOne() {
        JobDescription own = JdlTexts.with("""
                OutputSandbox = { "a", "sub/b", "/tmp/c", "d" };
                OutputSandboxDestURI = { "gsiftp://se/x/a.out\\\\?DN=/O=Grid/CN=se", "https://web/b", "gsiftp://localhost/deep/c", "gsiftp://localhost/" }
                """);

        assertThat(own.transfers().stageOut())
                .containsExactly(
                        new Transfer(
                                "file:///scratch/work/a",
                                "gsiftp://se/x/a.out",
                                Map.of("destinationSubjectName", "/O=Grid/CN=se")),
                        copy("file:///scratch/work/sub/b", "https://web/b"),
                        copy("file:///tmp/c", "file:///scratch/out/deep/c"),
                        copy("file:///scratch/work/d", "file:///scratch/out/d"));
        assertThat(JdlTexts.with("OutputSandbox = { \"sub/a b\" }; OutputSandboxBaseDestURI = \"gsiftp://se/x/\"")
                        .transfers()
                        .stageOut())
                .containsExactly(copy("file:///scratch/work/sub/a%20b", "gsiftp://se/x/a%20b"));
    }

    @Test
    void wildcardsAreTheMatchingFilesOfADirectory() {
        JobDescription kept =
                JdlTexts.with("OutputSandbox = { \"logs/*.txt\" }; OutputSandboxBaseDestURI = \"gsiftp://localhost\"");
        JobDescription sent =
                JdlTexts.with("OutputSandbox = { \"part[0-9].?\" }; OutputSandboxBaseDestURI = \"gsiftp://se/x\"");

        assertThat(kept.transfers().stageOut())
                .containsExactly(
                        new Transfer("file:///scratch/work/logs/", "file:///scratch/out/", Map.of("match", "*.txt")));
        assertThat(sent.transfers().stageOut())
                .containsExactly(
                        new Transfer("file:///scratch/work/", "gsiftp://se/x/", Map.of("match", "part[0-9].?")));
    }

    @Test
    void programsBeforeAndAfterHaveTheirArguments() {
        JobDescription job = JdlTexts.with(
                "InputSandbox = { \"/x/pre\" }; Prologue = \"pre\"; PrologueArguments = \"1 2\"; Epilogue = \"/bin/post\"; EpilogueArguments = \"'3 4'\"");

        assertThat(job.resources()).isNotNull().satisfies(resources -> {
            assertThat(resources.preCommand()).containsExactly("/scratch/work/pre", "1", "2");
            assertThat(resources.postCommand()).containsExactly("/bin/post", "3 4");
        });
    }

    @Test
    void processorsAreCountedAndSpread() {
        JobDescription job = JdlTexts.with(
                "NodeNumber = 8; SMPGranularity = 4; HostNumber = 2; WholeNodes = true; GPUNumber = 2; GPUModel = \"a100\"; GPUMode = \"Exclusive_Process\"");

        assertThat(job.hostCount()).isEqualTo(2);
        assertThat(job.resources()).isNotNull().satisfies(resources -> {
            assertThat(resources.slots()).isEqualTo(8);
            assertThat(resources.slotsPerHost()).isEqualTo(4);
            assertThat(resources.wholeNodes()).isTrue();
            assertThat(resources.gpus()).isEqualTo(new Gpus(2, "a100", Gpus.Mode.EXCLUSIVE_PROCESS));
        });
        assertThat(JdlTexts.with("CpuNumber = 3; NodeNumber = 8").resources())
                .isNotNull()
                .satisfies(resources -> assertThat(resources.slots()).isEqualTo(3));
        assertThat(JdlTexts.with("CpuNumber = 1").resources()).isNull();
    }

    @Test
    void requirementsAreKeptAndWhatTheBatchSystemCanHeedIsAsked() {
        JobDescription job = JdlTexts.with("""
                CERequirements = (other.GlueCEPolicyMaxWallClockTime >= 90 && other.GlueCEPolicyMaxCPUTime > 60) && // mind
                    other.GlueHostMainMemoryRAMSize > 2048.0 && other.GlueHostArchitecturePlatformType == "x86_64" && other.Own < 5
                """);

        assertThat(job.extensions())
                .singleElement()
                .satisfies(extension -> assertThat(extension.text())
                        .startsWith("(other.GlueCEPolicyMaxWallClockTime >= 90")
                        .doesNotContain("mind"));
        assertThat(job.maxWallTime()).isEqualTo(Duration.ofMinutes(90));
        JobDescription plain = JdlTexts.with(
                "CERequirements = \"other.GlueCEPolicyMaxWallClockTime >= 90 && (GlueCEPolicyMaxCPUTime > 60) && other.GlueHostMainMemoryRAMSize > 2048.0 && other.GlueHostArchitecturePlatformType == \\\"x86_64\\\" && other.Own < 5\"");
        assertThat(plain.maxWallTime()).isEqualTo(Duration.ofMinutes(90));
        assertThat(plain.maxCpuTime()).isEqualTo(Duration.ofMinutes(60));
        assertThat(plain.minMemoryMiB()).isEqualTo(2048);
        assertThat(plain.resources())
                .isNotNull()
                .satisfies(resources -> assertThat(resources.architecture()).isEqualTo("x86_64"));
        assertThat(plain.extensions().getFirst().children())
                .extracting(part -> part.attributes().get("name") + "=" + part.text())
                .contains("GlueCEPolicyMaxWallClockTime_Min=90", "Own_Max=5");
    }

    /** What is no conjunction of comparisons is kept and asks for nothing: half of it could ask for the wrong thing. */
    @Test
    void anotherExpressionIsKept() {
        for (String text : List.of(
                "other.GlueCEPolicyMaxCPUTime > 60 || other.X > 1",
                "!(other.GlueCEPolicyMaxCPUTime > 60)",
                "other.GlueCEPolicyMaxCPUTime > 60 && Member(\"x\", other.Y)",
                "(".repeat(30) + "other.GlueCEPolicyMaxCPUTime > 60",
                "other.GlueCEPolicyMaxCPUTime > 60" + " && other.X > 1".repeat(200))) {
            JobDescription job = JdlTexts.with("CERequirements = \"" + text.replace("\"", "\\\"") + "\"");
            assertThat(job.maxCpuTime()).as(text).isNull();
            assertThat(job.extensions().getFirst().text()).isEqualTo(text);
            assertThat(job.extensions().getFirst().children()).isEmpty();
        }
    }

    @Test
    void whatTheGridSaysIsKept() {
        Jdl jdl = JdlTexts.read("""
                Executable = "/bin/true"; edg_jobid = "https://lb:9000/abc"; VirtualOrganisation = "lab"; MyProxyServer = "px";
                MaxOutputSandboxSize = -1; LBAddress = "lb:9000"; MwVersion = "3"; HLRLocation = "hlr:56568"; InputSandbox = { ".BrokerInfo" }; Requirements = other.X == 1; Rank = -other.Y;
                OutputSE = "se"
                """);

        assertThat(jdl.grid()).isEqualTo(new Jdl.Grid("https://lb:9000/abc", "lab", "px", "hlr:56568", null));
        assertThat(jdl.ignored()).containsExactly("LBAddress", "MwVersion", "OutputSE", "Rank", "Requirements");
        assertThat(jdl.description(JdlTexts.PLACES).environment())
                .contains(
                        new EnvironmentVariable("GRID_JOBID", "https://lb:9000/abc"),
                        new EnvironmentVariable("GLITE_WMS_JOBID", "https://lb:9000/abc"),
                        new EnvironmentVariable("EDG_WL_JOBID", "https://lb:9000/abc"),
                        new EnvironmentVariable("HLR_LOCATION", "hlr:56568"),
                        new EnvironmentVariable("GLITE_WMS_RB_BROKERINFO", JdlTexts.PLACES.work() + "/.BrokerInfo"));
    }

    @Test
    void perusalIsRead() {
        Jdl jdl = JdlTexts.read(
                "Executable = \"/bin/true\"; PerusalFileEnable = true; PerusalTimeInterval = 30; PerusalFilesDestURI = \"https://h/d\"; PerusalListFileURI = \"gsiftp://h/l\"");

        assertThat(jdl.perusal())
                .isEqualTo(
                        new Jdl.Perusal(30, new SandboxUrl("https://h/d", null), new SandboxUrl("gsiftp://h/l", null)));
        assertThat(JdlTexts.read("Executable = \"/bin/true\"; PerusalFileEnable = false")
                        .perusal())
                .isNull();
    }

    @Test
    void slicesOfTheWorkingDirectoryGoOutWhileTheJobRuns() {
        JobDescription job = JdlTexts.with(
                "PerusalFileEnable = true; PerusalFilesDestURI = \"gsiftp://h/d?DN=/CN=one\"; PerusalListFileURI = \"gsiftp://h/l?DN=/CN=two\"");

        assertThat(job.transfers().stageOut())
                .containsExactly(new Transfer(
                        "file:///scratch/work/",
                        "gsiftp://h/d/",
                        Map.of(
                                OutputOptions.SLICES,
                                "5",
                                OutputOptions.SLICES_LIST,
                                "gsiftp://h/l",
                                OutputOptions.SLICES_LIST_SUBJECT,
                                "/CN=two",
                                "destinationSubjectName",
                                "/CN=one")));
    }

    @Test
    void theSizeOfAllOutputIsBounded() {
        String output = "OutputSandbox = { \"a\" }; OutputSandboxBaseDestURI = \"gsiftp://localhost\"; ";

        assertThat(JdlTexts.with(output + "MaxOutputSandboxSize = 1000.7")
                        .transfers()
                        .stageOutOptions())
                .containsExactly(Map.entry(OutputOptions.MOST_BYTES, "1000"));
        assertThat(JdlTexts.with(output + "MaxOutputSandboxSize = -1")
                        .transfers()
                        .stageOutOptions())
                .isEmpty();
        assertThat(JdlTexts.with("MaxOutputSandboxSize = 1000").transfers().stageOutOptions())
                .isEmpty();
    }

    /** In time that rises with their number, not with its square. */
    @Test
    void slashesAtTheEndOfUrlsDoNotCount() {
        String slashes = "/".repeat(60_000);

        assertThat(JdlTexts.with("OutputSandbox = { \"a\" }; OutputSandboxBaseDestURI = \"gsiftp://se/x" + slashes
                                + "\"")
                        .transfers()
                        .stageOut())
                .containsExactly(copy("file:///scratch/work/a", "gsiftp://se/x/a"));
        assertTimeoutPreemptively(
                Duration.ofMinutes(1),
                () -> JdlTexts.with("OutputSandbox = { \"a\" }; OutputSandboxBaseDestURI = \"gsiftp://se/x" + slashes
                        + "y\"; InputSandbox = { \"b\", \"c\", \"d\" }; InputSandboxBaseURI = \"gsiftp://se/x" + slashes
                        + "y\""));
    }
}
