// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jobgate.adl.Activity;
import org.jobgate.adl.Adl;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Mail;
import org.jobgate.job.Resources;
import org.jobgate.job.Transfer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each attribute of xRSL, and what is wrong with it. */
class XrslReaderTest {

    private static Activity server(String text) {
        return new XrslReader(Adl.SITE, XrslDialect.SERVER).read(text);
    }

    private static Activity user(String text) {
        return new XrslReader(Adl.SITE, XrslDialect.USER).read(text);
    }

    private static Arguments in(String attribute, Function<Activity, Object> what, Object value) {
        return Arguments.of(attribute, what, value);
    }

    private static Arguments job(String attribute, Function<JobDescription, Object> what, Object value) {
        return Arguments.of(
                attribute, (Function<Activity, Object>) activity -> what.apply(activity.description()), value);
    }

    private static Arguments asks(String attribute, Function<Resources, Object> what, Object value) {
        return job(
                attribute,
                description -> what.apply(description.resources() == null ? Resources.NONE : description.resources()),
                value);
    }

    static Stream<Arguments> attributes() {
        return Stream.of(
                job("(arguments=a \"b c\" 'd''e' \"\")", JobDescription::arguments, List.of("a", "b c", "d'e", "")),
                job("(arguments=^~a\"b'~)", JobDescription::arguments, List.of("a\"b'")),
                job("(arguments=a#\"b c\"#d)", JobDescription::arguments, List.of("ab cd")),
                job("(arguments=a(* a comment *)b)", JobDescription::arguments, List.of("a", "b")),
                job(
                        "(rsl_substitution=(\"HOME\" \"/h\")(\"SUB\" \"s\"))(arguments=$(HOME)/x $(HOME)#/#$(SUB))",
                        JobDescription::arguments,
                        List.of("/h/x", "/h/s")),
                job("(std_In=i)", JobDescription::stdin, "i"),
                job("(stdout=o)(join=yes)", JobDescription::stderr, "o"),
                job("", JobDescription::stdout, "stdout"),
                job(
                        "(environment=(\"A\" \"b c\"))(environment=(D e))",
                        JobDescription::environment,
                        List.of(new EnvironmentVariable("A", "b c"), new EnvironmentVariable("D", "e"))),
                in("(environment=(GRAM_CLIENT_KEY k1))", Activity::submissionKey, "k1"),
                in("(jobname=\"a name\")", Activity::name, "a name"),
                job("(queue=long)", JobDescription::queue, "long"),
                job("(queue!=long)", job -> Optional.ofNullable(job.queue()), Optional.empty()),
                job("(walltime=60)", JobDescription::maxWallTime, Duration.ofSeconds(60)),
                job("(walltime=\"1 day, 2 hours\")", JobDescription::maxWallTime, Duration.ofHours(26)),
                job("(cputime=PT5M)", JobDescription::maxCpuTime, Duration.ofMinutes(5)),
                in("(lifetime=\"1 week\")", Activity::keepFor, Duration.ofDays(7)),
                job("(memory=500)", JobDescription::maxMemoryMiB, 500L),
                job("(memory=1)", job -> Optional.ofNullable(job.maxMemoryMiB()), Optional.empty()),
                asks("(count=4)", Resources::slots, 4),
                asks("(count=4)(countpernode=4)", Resources::threadsPerProcess, 4),
                asks("(exclusiveexecution=yes)", Resources::wholeNodes, true),
                asks("(architecture=x86_64)", Resources::architecture, "x86_64"),
                asks("(opsys=linux)", Resources::operatingSystem, "Linux"),
                asks(
                        "(runtimeenvironment=\"APPS/Y-2.0\" \"o\")",
                        Resources::preCommand,
                        List.of("/opt/y/setup", "two", "o")),
                asks(
                        "(notify=\"e a@b.example\")(notify=\"b c@d.example\")",
                        Resources::mail,
                        new Mail(
                                List.of("a@b.example", "c@d.example"),
                                List.of(Mail.Event.STARTED, Mail.Event.ENDED, Mail.Event.FAILED))),
                in(
                        "(inputfiles=(\"a\" \"\")(\"b\" \"12.345\"))(executables=a)",
                        Activity::uploads,
                        List.of(new Activity.Upload("a", true, null), new Activity.Upload("b", false, 12L))),
                in(
                        "(inputfiles=(a \"https://h.example/a\" \"threads=3\"))",
                        activity -> activity.placed("/s").transfers().stageIn(),
                        List.of(new Transfer("https://h.example/a", "file:///s/a"))),
                in("(outputfiles=(a \"\")(\"/\" \"\"))", Activity::kept, List.of("a", "/")),
                in(
                        "(outputfiles=(a https://h.example/a))(ftpthreads=4)",
                        activity -> activity.placed("/s")
                                .transfers()
                                .stageOut()
                                .getFirst()
                                .options(),
                        java.util.Map.of("parallelStreams", "4")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attributes")
    void anAttributeIsRead(String attribute, Function<Activity, Object> what, Object value) {
        assertThat(what.apply(server("&(executable=/bin/date)" + attribute))).isEqualTo(value);
    }

    @Test
    void aPersonCountsMinutesAndImpliesFiles() {
        Activity activity = user("&(executable=run.sh)(stdin=in)(walltime=60)(inputfiles=(data /home/a/data))");

        assertThat(activity.description().maxWallTime()).isEqualTo(Duration.ofHours(1));
        assertThat(activity.uploads())
                .containsExactlyInAnyOrder(
                        new Activity.Upload("data", false, null),
                        new Activity.Upload("run.sh", true, null),
                        new Activity.Upload("in", false, null));
    }

    @Test
    void severalJobsAreReadEachByItself() {
        List<XrslReader.Result> results = new XrslReader(Adl.SITE, XrslDialect.SERVER)
                .readAll("+(&(executable=/bin/date))(&(executable=/bin/date)(nonsense=1))");

        assertThat(results.get(0).activity()).isNotNull();
        assertThat(results.get(1).fault()).extracting(Fault::attribute).isEqualTo("nonsense");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "walltme|(walltme=60)",
                "arguments|(arguments=a)(arguments=b)",
                "walltime|(walltime=soon)",
                "walltime|(walltime=0)",
                "count|(count=x)",
                "countpernode|(countpernode=2)",
                "stdout|(stdout=a b)",
                "environment|(environment=(A))",
                "environment|(environment=A)",
                "inputfiles|(inputfiles=(a /etc/passwd))",
                "inputfiles|(inputfiles=(../a \"\"))",
                "executables|(executables=nothing)",
                "join|(join=yes)",
                "runtimeenvironment|(runtimeenvironment=APPS/Z)",
                "runtimeenvironment|(runtimeenvironment>=APPS/X)",
                "benchmarks|(benchmarks=(a b c))",
                "opsys|(opsys=\"beos\")",
                "arguments|(arguments=$(NONE))",
                "action|(action=cancel)",
                "dryrun|(dryrun=yes)",
                "starttime|(starttime=\"2027-01-01 00:00:00\")",
            })
    void whatIsWrongIsRefusedByItsName(String name, String attribute) {
        assertThatThrownBy(() -> server("&(executable=/bin/date)" + attribute.replace("\\\"", "\"")))
                .isInstanceOfSatisfying(
                        FaultException.class,
                        e -> assertThat(e.fault().attribute()).isEqualTo(name));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "&~opening parenthesis",
                "&(executable=/bin/date~closing parenthesis",
                "&(executable=\"/bin/date)~does not end",
                "&(executable /bin/date)~was expected",
                "&(executable=/bin/date))~the end was expected",
                "&(executable=/bin/date)(* x~does not end",
                "&(=x)~name of an attribute",
                "~a specification was expected",
            })
    void whatIsNoXrslIsRefusedWithItsPlace(String text, String why) {
        assertThatThrownBy(() -> server(text == null ? "" : text))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("line 1, column")
                .hasMessageContaining(why);
    }

    @Test
    void whatIsTooMuchIsRefusedByTheLimit() {
        assertThatThrownBy(() -> server("&".repeat(1) + "(".repeat(100_000))).hasMessageContaining("xrsl.maxDepth");
        assertThatThrownBy(() -> server("&(arguments=" + "(".repeat(100_000))).hasMessageContaining("xrsl.maxDepth");
        assertThatThrownBy(() -> server("&(arguments=" + "x".repeat(70_000) + ")"))
                .hasMessageContaining("limits.maxTextBytes");
        StringBuilder bomb = new StringBuilder("&(executable=/bin/date)(rsl_substitution=(V0 xxxxxxxxxxxxxxxx)");
        for (int i = 1; i < 40; i++) {
            bomb.append("(V")
                    .append(i)
                    .append(" $(V")
                    .append(i - 1)
                    .append(")#$(V")
                    .append(i - 1)
                    .append("))");
        }
        assertThatThrownBy(() -> server(bomb + ")(arguments=$(V39))")).hasMessageContaining("limits.maxTextBytes");
    }

    @Test
    void alternativesAreForClients() {
        assertThatThrownBy(() -> server("&(executable=/bin/date)(|(queue=a)(queue=b))"))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("alternatives");
        assertThat(server("&(executable=/bin/date)(|(queue=a))").description().queue())
                .isEqualTo("a");
    }
}
