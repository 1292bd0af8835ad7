// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import org.jobgate.transfer.server.FileServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileSystemMapsTest {

    private static final String MAPS = """
            <?xml version="1.0"?>
            <fileSystemMaps xmlns="http://www.globus.org/namespaces/2004/10/gram/job">
              <map>
                <scheduler>Fork</scheduler>
                <ftpServer><protocol>gsiftp</protocol><host>a.example.org</host><port>2811</port></ftpServer>
                <mapping><jobPath>/</jobPath><ftpPath>/</ftpPath></mapping>
                <mapping><jobPath>/home</jobPath><ftpPath>/export/home</ftpPath></mapping>
              </map>
              <map>
                <scheduler>Condor</scheduler>
                <ftpServer><protocol>gsiftp</protocol><host>b.example.org</host><port>2812</port></ftpServer>
                <mapping><jobPath>/scratch</jobPath><ftpPath>/</ftpPath></mapping>
              </map>
            </fileSystemMaps>
            """;

    @Test
    void eachMappingIsADoor() throws Exception {
        assertThat(FileSystemMaps.parse(MAPS))
                .containsExactly(
                        new FileServer("fork", "/", URI.create("gsiftp://a.example.org:2811/")),
                        new FileServer("fork", "/home", URI.create("gsiftp://a.example.org:2811/export/home")),
                        new FileServer("condor", "/scratch", URI.create("gsiftp://b.example.org:2812/")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<fileSystemMaps/>",
                "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><fileSystemMaps>&e;</fileSystemMaps>",
                "<fileSystemMaps xmlns='http://www.globus.org/namespaces/2004/10/gram/job'><map><scheduler>x</scheduler></map></fileSystemMaps>"
            })
    void whatIsWrongIsSaid(String text) {
        assertThatThrownBy(() -> FileSystemMaps.parse(text)).isInstanceOf(IOException.class);
    }
}
