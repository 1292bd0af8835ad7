// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.soap.SoapMount;
import org.jobgate.soap.SoapService;
import org.jobgate.xml.MalformedXmlException;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;
import org.jobgate.xml.XmlWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes at all are a request that is answered, or one that is refused; and no answer is anything but XML.
 *
 * <p>The test replays the seeds. To fuzz, give this class to Jazzer as its target class, with the seeds as its corpus.
 */
public class SrmFuzzTest {

    private static final String SEEDS = "/org/jobgate/srm/seeds";
    private static final Identity ALICE = new Identity(SrmRoom.ALICE, "test", false);

    private static final SoapService SERVICE = made();

    private static SoapService made() {
        try {
            SrmRoom room = new SrmRoom(Files.createTempDirectory("srm-fuzz-"));
            Files.writeString(room.work().resolve("a.txt"), "hello");
            return ((SoapMount) room.door.mounts().getFirst()).services().getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Jazzer's entry point. */
    public static void fuzzerTestOneInput(byte[] data) {
        XmlElement body;
        try {
            body = XmlTree.parse(data, XmlLimits.defaults());
        } catch (FaultException | MalformedXmlException e) {
            return;
        }
        try {
            String answer = XmlWriter.toText(
                    SERVICE.answer(new SoapCall(ALICE, List.of(), body)).body());
            XmlTree.parse(answer.getBytes(StandardCharsets.UTF_8), XmlLimits.defaults());
        } catch (SoapFaultException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    static List<Path> seeds() throws IOException, URISyntaxException {
        Path folder = Path.of(SrmFuzzTest.class.getResource(SEEDS).toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aSeedIsAnsweredOrRefused(Path seed) throws IOException {
        fuzzerTestOneInput(Files.readAllBytes(seed));
    }

    /** Each seed cut off, and with a byte changed, at many places. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aBrokenSeedIsAnsweredOrRefused(Path seed) throws IOException {
        byte[] data = Files.readAllBytes(seed);
        for (int i = 1; i < data.length; i += 7) {
            fuzzerTestOneInput(java.util.Arrays.copyOf(data, i));
            byte[] changed = data.clone();
            changed[i] = (byte) "<>&/ax0%.-".charAt(i % 10);
            fuzzerTestOneInput(changed);
        }
    }
}
