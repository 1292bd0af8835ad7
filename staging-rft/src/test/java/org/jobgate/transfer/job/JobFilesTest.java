// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jobgate.job.CreationFlag;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Resources;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.FilePassword;
import org.jobgate.limits.Limit;
import org.jobgate.transfer.LocalFiles;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.TransferRecord;
import org.jobgate.transfer.TransferState;
import org.jobgate.transfer.Urls;
import org.jobgate.transfer.file.FileProtocol;
import org.jobgate.transfer.file.SmallFiles;
import org.jobgate.transfer.https.HttpsProtocol;
import org.jobgate.transfer.https.PackingSettings;
import org.jobgate.transfer.https.PlainHosts;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jobgate.transfer.sftp.SftpProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobFilesTest {

    private static final LocalFiles FILES = new LocalFiles();
    private static final Protocols PROTOCOLS = new Protocols(List.of(
            new FileProtocol(FILES, FILES),
            new HttpsProtocol(
                    credential -> {
                        throw new IllegalStateException("nothing is moved here");
                    },
                    Duration.ofSeconds(1),
                    new UrlPolicy(true),
                    PackingSettings.DEFAULTS),
            HttpsProtocol.plain(
                    credential -> {
                        throw new IllegalStateException("nothing is moved here");
                    },
                    Duration.ofSeconds(1),
                    new UrlPolicy(true),
                    PackingSettings.DEFAULTS,
                    PlainHosts.parse(List.of("data.example.org"))),
            new SftpProtocol(new SmallFiles(FILES), Duration.ofSeconds(1), new UrlPolicy(true))));
    private static final FileRules RULES = new FileRules(PROTOCOLS);

    private static JobDescription staging(String source, String destination) {
        return JobDescription.builder("/bin/true")
                .transfers(new TransferList(List.of(new Transfer(source, destination)), List.of(), List.of()))
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "https://a/b, file:///c, , ",
        "https://a/b/, file:///c/, , ",
        "https://a/b, file:///c/, INVALID_DESCRIPTION, both URLs end with a slash",
        "nfs://a/b, file:///c, UNSUPPORTED_FEATURE, Files cannot be moved with nfs:",
        "https://u:secret@a/b, file:///c, INVALID_DESCRIPTION, must not name a user",
        "sftp://u@a/b, file:///c, , ",
        "scp://u@a/b, file:///c, , ",
        "scp://u:secret@a/b, file:///c, INVALID_DESCRIPTION, must not name a user",
        "http://data.example.org/b, file:///c, , ",
        "http://other.example.org/b, file:///c, UNSUPPORTED_FEATURE, staging.httpHosts",
        "file:///c, http://data.example.org:81/b, UNSUPPORTED_FEATURE, staging.httpHosts",
        "sftp://u:secret@a/b, file:///c, INVALID_DESCRIPTION, must not name a user",
        "sftp://u%3Asecret@a/b, file:///c, INVALID_DESCRIPTION, must not name a user",
        "https://u@a/b, file:///c, INVALID_DESCRIPTION, must not name a user",
        "ftp://a/b, file:///c, UNSUPPORTED_FEATURE, 'Files cannot be moved with ftp: here; known are: file, http, https, scp, sftp'",
        "file:///c, file:///c, INVALID_DESCRIPTION, onto itself",
    })
    void filesThatCannotBeMovedAreRefusedBeforeTheJobIsStored(
            String source, String destination, FaultCode code, String sentence) {
        var refusal = RULES.refusal(staging(source, destination));
        if (code == null) {
            assertThat(refusal).isEmpty();
        } else {
            assertThat(refusal.orElseThrow().code()).isEqualTo(code);
            assertThat(refusal.orElseThrow().sentence()).contains(sentence).doesNotContain("secret");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://a/b, file:///c, append, , ",
        "file:///c, sftp://a/b, append, , ",
        "file:///c, https://a/b, dontOverwrite, , ",
        "file:///c, https://a/b, append, UNSUPPORTED_FEATURE, Nothing can be appended to a file with https:",
        "https://a/b, file:///c, Append, INVALID_DESCRIPTION, 'must be overwrite, append or dontOverwrite'",
    })
    void aFileThatIsThereMayStayOrBeMadeLonger(
            String source, String destination, String flag, FaultCode code, String sentence) {
        var refusal = RULES.refusal(flagged(source, destination, flag, Map.of()));
        if (code == null) {
            assertThat(refusal).isEmpty();
        } else {
            assertThat(refusal.orElseThrow().code()).isEqualTo(code);
            assertThat(refusal.orElseThrow().sentence()).contains(sentence);
        }
    }

    private static JobDescription flagged(String source, String destination, String flag, Map<String, String> ofAll) {
        Transfer copy = new Transfer(source, destination, Map.of(CreationFlag.OPTION, flag));
        return JobDescription.builder("/bin/true")
                .transfers(new TransferList(List.of(copy), List.of(), List.of(), ofAll, Map.of(), Map.of()))
                .build();
    }

    /** What is undone or compared must be the copy's own. */
    @ParameterizedTest
    @CsvSource({"append, allOrNone, true", "dontOverwrite, allOrNone, true", "append, checksum, md5"})
    void whatWouldHarmTheFileThatIsThereIsRefused(String flag, String option, String value) {
        var refusal = RULES.refusal(flagged("https://a/b", "file:///c", flag, Map.of(option, value)));

        assertThat(refusal.orElseThrow().code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(refusal.orElseThrow().sentence()).contains(option);
    }

    @ParameterizedTest
    @CsvSource({
        "https://a/b, file:///c, ",
        "scp://a/b, file:///c, ",
        "http://data.example.org/b, file:///c, with http:",
        "file:///b, file:///c, with file:",
    })
    void aPasswordGoesWhereItIsOfUse(String source, String destination, String sentence) {
        var refusal = RULES.refusal(JobDescription.builder("/bin/true")
                .transfers(new TransferList(
                        List.of(new Transfer(source, destination, Map.of(FilePassword.OPTION, "1"))),
                        List.of(),
                        List.of()))
                .build());
        if (sentence == null) {
            assertThat(refusal).isEmpty();
        } else {
            assertThat(refusal.orElseThrow().code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
            assertThat(refusal.orElseThrow().sentence()).contains(sentence, "https:, scp:, sftp:");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://a/b, file:///c, sourceSubjectName, 'the option sourceSubjectName is for GridFTP servers, and this is none'",
        "https://a/b, file:///c, subjectName, the option subjectName is for GridFTP servers",
        "https://a/b, file:///c, userName, the option userName is for GridFTP servers",
        "https://a/b, file:///c, destinationSubjectName, ",
        "file:///b, sftp://a/c, destinationSubjectName, the option destinationSubjectName is for GridFTP servers",
        "file:///b, sftp://a/c, sourceSubjectName, ",
        "file:///b, file:///c, subjectName, ",
    })
    void optionsThatNoServerCanHeedAreRefusedBeforeTheJobIsStored(
            String source, String destination, String option, String sentence) {
        Map<String, String> options = Map.of(option, "/O=Grid/CN=x");
        List<Transfer> plain = List.of(new Transfer(source, destination));
        List<Transfer> own = List.of(new Transfer(source, destination, options));
        for (TransferList files : List.of(
                new TransferList(plain, List.of(), List.of(), options, Map.of(), Map.of()),
                new TransferList(List.of(), plain, List.of(), Map.of(), options, Map.of()),
                new TransferList(own, List.of(), List.of()))) {
            var refusal = RULES.refusal(
                    JobDescription.builder("/bin/true").transfers(files).build());
            if (sentence == null) {
                assertThat(refusal).isEmpty();
            } else {
                assertThat(refusal.orElseThrow().sentence()).contains(sentence);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "file:///a/, https://b/c/, *.txt, ",
        "file:///a, https://b/c, *.txt, the option match is for directories: both URLs end with a slash",
        "file:///a/, https://b/c/, x/y, neither a slash nor a NUL character",
    })
    void wildcardsAreForTheFilesOfADirectory(String source, String destination, String pattern, String sentence) {
        Transfer copy = new Transfer(source, destination, Map.of("match", pattern));
        var refusal = RULES.refusal(JobDescription.builder("/bin/true")
                .transfers(new TransferList(List.of(), List.of(copy), List.of()))
                .build());
        if (sentence == null) {
            assertThat(refusal).isEmpty();
        } else {
            assertThat(refusal.orElseThrow().sentence()).contains(sentence);
        }
    }

    @ParameterizedTest
    @CsvSource({"/w/run, true", "/w/pre, true", "/w/post, true", "/w/data, false", "/w/argument, false"})
    void whatIsRunOfAJobIsMadeExecutable(String file, boolean isProgram) {
        JobDescription job = JobDescription.builder("/w/run")
                .directory("/w")
                .resources(Resources.builder()
                        .preCommand(List.of("/w/pre", "/w/argument"))
                        .postCommand(List.of("post"))
                        .build())
                .transfers(
                        new TransferList(List.of(new Transfer("https://h/x", "file://" + file)), List.of(), List.of()))
                .build();
        assertThat(Directive.isProgram(Urls.parse("file://" + file), job)).isEqualTo(isProgram);
    }

    @Test
    void inputAndOutputByUrlLieInTheJobsScratchDirectory() {
        JobDescription prepared = Preparation.of(
                JobDescription.builder("/bin/cat")
                        .stdin("https://a/in")
                        .stdout("https://a/out")
                        .stderr("file:///tmp/err%20")
                        .build(),
                "/home/alice/.globus/scratch/7",
                false,
                url -> true);

        assertThat(prepared.stdin()).isEqualTo("/home/alice/.globus/scratch/7/stdin");
        assertThat(prepared.stdout()).isEqualTo("/home/alice/.globus/scratch/7/stdout");
        assertThat(prepared.stderr()).isEqualTo("/tmp/err ");
        assertThat(prepared.transfers().stageIn())
                .containsExactly(
                        new Transfer("empty:///", "file:///home/alice/.globus/scratch/7/"),
                        new Transfer("https://a/in", "file:///home/alice/.globus/scratch/7/stdin"));
        assertThat(prepared.transfers().stageOut())
                .containsExactly(new Transfer("file:///home/alice/.globus/scratch/7/stdout", "https://a/out"));
        assertThat(prepared.transfers().cleanUp()).containsExactly("file:///home/alice/.globus/scratch/7/");
        assertThat(prepared.environment()).anyMatch(variable -> variable.name().equals("SCRATCH_DIRECTORY"));
    }

    private static JobDescription sending(String url, boolean allOrNone, boolean ofElement, String stdout) {
        Map<String, String> asked = Map.of("incremental", "true");
        Map<String, String> ofAll = new HashMap<>(ofElement ? asked : Map.of());
        if (allOrNone) {
            ofAll.put("allOrNone", "true");
        }
        Transfer copy = new Transfer("file:///out", url, ofElement ? Map.of() : asked);
        return JobDescription.builder("/bin/true")
                .stdout(stdout)
                .transfers(new TransferList(List.of(), List.of(copy), List.of(), Map.of(), ofAll, Map.of()))
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "sftp://a/b, false, ",
        "sftp://a/b, true, with allOrNone nothing may be there before all is",
        "https://a/b, false, 'with https: nothing can be appended to a file'",
        "sftp://a/b/, false, both URLs end with a slash",
    })
    void whoAsksForFilesWhileTheJobRunsGetsThemOrIsToldWhyNot(String url, boolean allOrNone, String sentence) {
        for (boolean ofElement : new boolean[] {true, false}) {
            var refusal = RULES.refusal(sending(url, allOrNone, ofElement, "/tmp/out"));
            if (sentence == null) {
                assertThat(refusal).isEmpty();
            } else {
                assertThat(refusal.orElseThrow().sentence()).contains(sentence);
            }
        }
    }

    private static JobDescription writing(String stdout, String... asked) {
        return JobDescription.builder("/bin/true")
                .stdout(stdout)
                .stderr("file:///tmp/err")
                .incrementalOutput(asked.length == 0 ? null : Boolean.valueOf(asked[0]))
                .build();
    }

    private static FileRules rules(IncrementalOutput.Rule rule) {
        return new FileRules(PROTOCOLS, new IncrementalOutput(rule, new Limit("staging.incrementalFiles", 1)));
    }

    private static boolean isFollowed(IncrementalOutput.Rule rule, JobDescription job) {
        FileRules rules = rules(rule);
        return Preparation.of(job, "/s/7", rules.followed().isOutputFollowed(job), rules.followed()::appends)
                .transfers()
                .stageOut()
                .stream()
                .anyMatch(copy -> IncrementalOutput.isAsked(copy.options()));
    }

    @Test
    void outputByUrlIsSentWhileTheJobRunsByTheRuleOfTheSiteAndTheJob() {
        assertThat(isFollowed(IncrementalOutput.Rule.ASKED, writing("sftp://a/b", "true")))
                .isTrue();
        assertThat(isFollowed(IncrementalOutput.Rule.ASKED, writing("sftp://a/b")))
                .isFalse();
        assertThat(isFollowed(IncrementalOutput.Rule.ALWAYS, writing("sftp://a/b")))
                .isTrue();
        assertThat(isFollowed(IncrementalOutput.Rule.ALWAYS, writing("sftp://a/b", "false")))
                .isFalse();
        assertThat(isFollowed(IncrementalOutput.Rule.ALWAYS, writing("https://a/b")))
                .isFalse();
        // what is said of the files to send is not said of the output
        assertThat(isFollowed(IncrementalOutput.Rule.ASKED, sending("sftp://a/b", false, true, "https://a/c")))
                .isFalse();

        assertThat(rules(IncrementalOutput.Rule.ASKED).refusal(writing("sftp://a/b", "true")))
                .isEmpty();
        assertThat(rules(IncrementalOutput.Rule.ASKED)
                        .refusal(writing("https://a/b", "true"))
                        .orElseThrow()
                        .sentence())
                .contains("with https: nothing can be appended");
        assertThat(rules(IncrementalOutput.Rule.ALWAYS).refusal(writing("https://a/b")))
                .isEmpty();
        assertThat(rules(IncrementalOutput.Rule.NEVER)
                        .refusal(writing("sftp://a/b", "true"))
                        .orElseThrow()
                        .sentence())
                .contains("this site sends files only when the job has ended");
        assertThat(rules(IncrementalOutput.Rule.ASKED)
                        .refusal(writing("sftp://a/b", "true").toBuilder()
                                .stderr("sftp://a/c")
                                .build())
                        .orElseThrow()
                        .code())
                .isEqualTo(FaultCode.LIMIT_EXCEEDED);
    }

    @Test
    void onlyFilesThatAreSentCanBeSentWhileTheJobRuns() {
        JobDescription job = JobDescription.builder("/bin/true")
                .transfers(new TransferList(
                        List.of(new Transfer("https://a/b", "file:///c", Map.of("incremental", "true"))),
                        List.of(),
                        List.of()))
                .build();
        assertThat(RULES.refusal(job).orElseThrow().sentence()).contains("only files to send");
    }

    private static JobDescription slicing(Map<String, String> ofAll, int times, String... own) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < own.length; i += 2) {
            options.put(own[i], own[i + 1]);
        }
        List<Transfer> copies = IntStream.range(0, times)
                .mapToObj(i -> new Transfer("file:///w/", "sftp://a/" + i + "/", options))
                .toList();
        return JobDescription.builder("/bin/true")
                .transfers(new TransferList(List.of(), copies, List.of(), Map.of(), ofAll, Map.of()))
                .build();
    }

    @Test
    void slicesAreAskedForByOneTransferAndCounted() {
        assertThat(RULES.refusal(slicing(Map.of(), 1, "slices", "5", "slicesList", "https://a/list")))
                .isEmpty();
        assertThat(List.of(
                        slicing(Map.of("slices", "no number", "slicesList", "https://a/list"), 1),
                        slicing(Map.of("slicesList", "no URL"), 1),
                        slicing(Map.of(), 1, "slicesList", "https://a/list"),
                        slicing(Map.of(), 1, "slices", "5", "slicesList", "no URL"),
                        slicing(Map.of("allOrNone", "true"), 1, "slices", "5", "slicesList", "https://a/list"),
                        slicing(Map.of(), 17, "slices", "5", "slicesList", "https://a/list")))
                .allSatisfy(job -> assertThat(RULES.refusal(job)).isPresent());
    }

    /** Of doors that take any option: the transfers would meet an error of their own when the job is there. */
    @ParameterizedTest
    @CsvSource({
        "concurrency, many, file:///a, the option concurrency is a whole number",
        "maxAttempts, -1, file:///a, the option maxAttempts is a whole number",
        "maxTotalBytes, 10, https://a/b, only local files can be cut to fit",
        "maxTotalBytes, 10, file:///a, ",
    })
    void optionsOfAllFilesAreCheckedBeforeTheJobIsStored(String option, String value, String source, String sentence) {
        var refusal = RULES.refusal(JobDescription.builder("/bin/true")
                .transfers(new TransferList(
                        List.of(),
                        List.of(new Transfer(source, "https://b/c")),
                        List.of(),
                        Map.of(),
                        Map.of(option, value),
                        Map.of()))
                .build());
        assertThat(refusal.map(Fault::sentence).orElse(""))
                .contains(sentence == null ? "" : sentence)
                .matches(text -> text.isEmpty() == (sentence == null));
    }

    @Test
    void aJobToWhichNothingIsBroughtStaysAsItIs() {
        JobDescription job = JobDescription.builder("/bin/true")
                .transfers(new TransferList(List.of(), List.of(new Transfer("file:///a", "https://b/c")), List.of()))
                .build();
        assertThat(Preparation.of(job, "/s/7", false, url -> true)).isEqualTo(job);
    }

    @Test
    void theCredentialOfAnElementGoesBeforeTheOneForStaging() {
        JobDescription job = JobDescription.builder("/bin/true")
                .credentials(List.of(
                        new NamedCredential(CredentialUse.STAGE_IN, "1", "a"),
                        NamedCredential.of(CredentialUse.FILES, "2")))
                .build();
        assertThat(Directive.STAGE_IN.credential(job)).isEqualTo("1");
        assertThat(Directive.STAGE_OUT.credential(job)).isEqualTo("2");
        assertThat(Directive.CLEAN_UP.credential(JobDescription.of("/bin/true")))
                .isNull();
    }

    @Test
    void whatWasMovedIsCountedByDirectionAndDeletionsAreNot() {
        JobId job = JobId.create(java.time.Clock.systemUTC(), java.util.random.RandomGenerator.getDefault());
        JobFiles.Moved moved = JobFiles.moved(
                job,
                Map.of(
                        Directive.STAGE_IN.requestOf(job) + "/0", over(TransferState.FINISHED, 3, 1_000),
                        Directive.STAGE_IN.requestOf(job) + "/1", over(TransferState.FAILED, 2, 10),
                        Directive.STAGE_OUT.requestOf(job) + "/0", over(TransferState.FINISHED, 1, 7),
                        Directive.STAGE_OUT.requestOf(job, 1) + "/0", over(TransferState.CANCELLED, 0, 5),
                        Directive.CLEAN_UP.requestOf(job) + "/0", over(TransferState.FINISHED, 1, 0)));
        assertThat(moved).isEqualTo(new JobFiles.Moved(1, 1_010, 1, 12, 6, 4));
    }

    private static TransferRecord over(TransferState state, int attempts, long bytes) {
        return new TransferRecord(state, attempts, null, bytes, null, null, null);
    }
}
