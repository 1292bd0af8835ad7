// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.srm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.wire.XmlElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the commands read and say without a service; with one: SrmCommandsIT. */
class SrmCommandsTest {

    @ParameterizedTest
    @CsvSource(textBlock = """
            srm://g.org/work/a,                                 https://g.org:8443/srm/v2/server,   a
            srm://g.org:9/work/,                                https://g.org:9/srm/v2/server,      ''
            srm://g.org:8444/srm/managerv2?SFN=/work/b%20c,     https://g.org:8444/srm/managerv2,   b%20c
            srm://[::1]:9000/x,                                 https://[::1]:9000/srm/v2/server,   x
            """)
    void aSurlNamesItsService(String text, String service, String name) throws Exception {
        assertThat(Surl.of(text, null)).isEqualTo(new Surl(service, text));
        assertThat(Surl.of(text, null).name()).isEqualTo(name);
    }

    @Test
    void theServiceOfTheCommandLineIsTheOne() throws Exception {
        assertThat(Surl.of("srm://g.org/work/a", "httpg://h.org:8446/srm/managerv2")
                        .service())
                .isEqualTo("https://h.org:8446/srm/managerv2");
        assertThat(Surl.service("srm://g.org")).isEqualTo("https://g.org:8443/srm/v2/server");
        assertThatThrownBy(() -> Surl.of("gsiftp://g.org/a", null)).isInstanceOf(CommandException.class);
        assertThatThrownBy(() -> Surl.of("srm://g.org:x/a", null)).isInstanceOf(CommandException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            srm-ls         |                             | Name a SURL
            srm-ls         | /work                       | is no SURL
            srm-rm         | srm://a/x srm://b/x         | different services
            srm-put        | data                        | Name the source and the target
            srm-put        | data /tmp/x                 | The target is a SURL
            srm-get        | /tmp/x                      | The source is a SURL
            srm-mv         | srm://a/x                   | Name the source and the target
            srm-ls         | -delegation srm://a/x       | glite-ce-delegate-proxy
            srm-ls         | -fulldetail srm://a/x       | -fulldetailed
            """)
    void whatIsMissingOnTheCommandLineIsSaid(String name, String words, String sentence, @TempDir Path home) {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        // a token, so that it does not end for want of a credential
        SrmCommands command = new SrmCommands(
                Map.of("HOME", home.toString(), "BEARER_TOKEN", "t", "X509_CERT_DIR", home.toString()),
                nowhere,
                nowhere);

        assertThatThrownBy(() -> command.call(name, words == null ? new String[0] : words.split(" ")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(sentence);
    }

    private static Listing.Entry entry(String content) throws Exception {
        String xml = "<pathDetailArray>" + content + "</pathDetailArray>";
        return new Listing.Entry(XmlElement.read(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void anEntryIsOneLine() throws Exception {
        String full = "<path>/work/f</path><size>12</size><type>FILE</type>"
                + "<lastModificationTime>2026-01-02T03:04:05Z</lastModificationTime><checkSumType>ADLER32</checkSumType>"
                + "<checkSumValue>0a</checkSumValue><ownerPermission><userID>ann</userID><mode>RW</mode></ownerPermission>"
                + "<groupPermission><groupID>lab</groupID><mode>R</mode></groupPermission>"
                + "<otherPermission>NONE</otherPermission>";

        assertThat(entry(full).line(false)).isEqualTo("/work/f");
        assertThat(entry(full).line(true))
                .isEqualTo("-rw-r----- ann      lab                12 2026-01-02T03:04:05Z /work/f  ADLER32:0a");
        assertThat(entry("<path>/work/d</path><type>DIRECTORY</type>").line(false))
                .isEqualTo("/work/d/");
    }

    /** Names come from whoever may write there. */
    @Test
    void whatATerminalWouldTakeForOrdersIsNotShown() throws Exception {
        assertThat(entry("<path>/work/\u009b31m</path>").line(true)).doesNotContain("\u009b");
    }
}
