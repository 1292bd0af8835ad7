// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import org.jobgate.site.SiteFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LscFileTest {

    private static final Forge.Made CA = Forge.authority("CN=CA,O=Grid", null).selfSigned();
    private static final Forge.Made NEXT =
            Forge.authority("CN=Next CA,O=Grid", null).selfSigned();
    private static final X509Certificate[] BEFORE = {
        Forge.user("CN=voms.example.org,O=Grid").signedBy(CA).certificate()
    };
    private static final X509Certificate[] AFTER = {
        Forge.user("CN=voms.example.org,O=Grid").signedBy(NEXT).certificate()
    };

    @TempDir
    Path folder;

    private LscFile parse(String text) throws IOException {
        Path file = Files.createDirectories(folder.resolve("atlas")).resolve("voms.example.org.lsc");
        Files.writeString(file, text);
        return LscFile.parse(file, SiteFile.read(file, 100_000));
    }

    @Test
    void aServerIsKnownByTheNamesOfItsChain() throws IOException {
        LscFile file = parse("# of the server\n\n/O=Grid/CN=voms.example.org\n  /O=Grid/CN=CA  \n");
        assertThat(file.matches(BEFORE)).isTrue();
        assertThat(file.matches(AFTER)).isFalse();
        assertThat(file.getVOName()).isEqualTo("atlas");
        assertThat(file.getHostname()).isEqualTo("voms.example.org");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "------ NEXT CHAIN ------",
                "------NEXT CHAIN------",
                "-- next chain --",
                "  ------ NEXT CHAIN ------  "
            })
    void eachOfSeveralChainsCounts(String separator) throws IOException {
        LscFile file = parse("/O=Grid/CN=voms.example.org\n/O=Grid/CN=CA\n" + separator
                + "\n/O=Grid/CN=voms.example.org\n/O=Grid/CN=Next CA\n" + separator + "\n");
        assertThat(file.matches(BEFORE)).isTrue();
        assertThat(file.matches(AFTER)).isTrue();
    }

    /** The subject of one chain with the issuer of another is in neither. */
    @Test
    void chainsAreNotMixed() throws IOException {
        LscFile file = parse("""
                /O=Grid/CN=voms.example.org
                /O=Grid/CN=CA
                ------ NEXT CHAIN ------
                /O=Grid/CN=other.example.org
                /O=Grid/CN=Next CA
                """);
        assertThat(file.matches(BEFORE)).isTrue();
        assertThat(file.matches(AFTER)).isFalse();
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> parse("")).hasMessageContaining("no name");
        assertThatThrownBy(() -> parse("# nothing\n")).hasMessageContaining("no name");
        assertThatThrownBy(() -> parse("------ NEXT CHAIN ------\n")).hasMessageContaining("no name");
        assertThatThrownBy(() -> parse("/O=Grid/CN=voms\n")).hasMessageContaining("1 names");
        assertThatThrownBy(() -> parse("/O=Grid/CN=voms\n/O=Grid/CN=CA\nwhat is this\n"))
                .hasMessageContaining("line 3");
        assertThatThrownBy(() -> parse("/O=Grid/CN=voms\n/O=Grid/CN=CA\n".repeat(50)))
                .hasMessageContaining("at most");
    }
}
