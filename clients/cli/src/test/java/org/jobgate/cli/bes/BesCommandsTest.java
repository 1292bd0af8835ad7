// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.bes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.wire.XmlElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command reads and says without a gateway; with one: BesClientsIT. */
class BesCommandsTest {

    private static ActivityView view(String state, String children) throws Exception {
        String status = "<ActivityStatus xmlns='" + BesService.FACTORY + "' xmlns:jg='" + BesService.OURS + "' state='"
                + state + "'>" + children + "</ActivityStatus>";
        return ActivityView.of(XmlElement.read(new ByteArrayInputStream(status.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void aStatusIsOneLineAndAnExitStatus() throws Exception {
        assertThat(view("Running", "<jg:Executing/>").line()).isEqualTo("Running (Executing)");
        assertThat(view("Finished", "<jg:ExitCode>3</jg:ExitCode>").line()).isEqualTo("Finished, exit code 3");
        assertThat(view("Finished", "<jg:ExitCode>3</jg:ExitCode>").exitStatus())
                .isEqualTo(3);
        assertThat(view("Failed", "<jg:Reason>No such program.</jg:Reason>").exitStatus())
                .isEqualTo(251);
        assertThat(view("Failed", "<jg:Reason>No such program.</jg:Reason>").reason())
                .isEqualTo("No such program.");
        assertThat(view("Cancelled", "").exitStatus()).isEqualTo(251);
    }

    @Test
    void aSweepIsItsCounts() throws Exception {
        ActivityView sweep = view(
                "Finished",
                "<jg:Points><jg:Count state='Finished'>9</jg:Count><jg:Count state='Failed'>1</jg:Count></jg:Points>");
        assertThat(sweep.line()).isEqualTo("Finished: 9 Finished, 1 Failed");
        assertThat(sweep.exitStatus()).isZero();
        assertThat(view("Running", "<jg:Sweeping/>").isOver()).isFalse();
    }

    /** Another service's sub-states and texts are none of ours. */
    @Test
    void whatIsNotOursIsLeftOut() throws Exception {
        assertThat(view("Running", "<x:ExitCode xmlns:x='urn:x'>9</x:ExitCode>").line())
                .isEqualTo("Running");
        assertThat(view("Finished", "<jg:ExitCode>much</jg:ExitCode>").exitStatus())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            gate.example.org,               https://gate.example.org:8443/bes/BESFactory
            gate.example.org:9000,          https://gate.example.org:9000/bes/BESFactory
            https://gate.example.org/other, https://gate.example.org:8443/other
            [::1]:9000,                     https://[::1]:9000/bes/BESFactory
            """)
    void aContactIsTheAddressOfAFactory(String contact, String address) throws Exception {
        assertThat(BesCommands.address(Words.sort(BesOption.table(), sorted -> 100, "-F", contact)))
                .isEqualTo(address);
    }

    @Test
    void anIdentifierComesBackAsItWas(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("job.epr");
        Files.writeString(
                file,
                "<b:ActivityIdentifier xmlns:b='" + BesService.FACTORY + "' xmlns:w='" + BesService.ADDRESSING
                        + "'><w:Address>https://g:1/bes/BESFactory?activity=7</w:Address><w:ReferenceParameters>"
                        + "<x:Any xmlns:x='urn:x' y='z'>7</x:Any></w:ReferenceParameters></b:ActivityIdentifier>");

        Activity activity = Activity.read(file);

        assertThat(activity.service()).isEqualTo("https://g:1/bes/BESFactory");
        assertThat(activity.text()).contains("urn:x", "y=\"z\"", ">7<", "activity=7");
        Files.writeString(file, "<ActivityIdentifier/>");
        assertThatThrownBy(() -> Activity.read(file)).isInstanceOf(CommandException.class);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            '',           Say what to do
            sing,         There is no 'sing'
            status,       Name the files
            create,       Name one file
            accepting yes,accepting on
            """)
    void whatIsMissingOnTheCommandLineIsSaid(String words, String sentence, @TempDir Path home) throws Exception {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        BesCommands command = new BesCommands(Map.of("HOME", home.toString()), nowhere, nowhere);

        assertThatThrownBy(() -> command.call(words.isEmpty() ? new String[0] : words.split(" ")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(sentence);
    }
}
