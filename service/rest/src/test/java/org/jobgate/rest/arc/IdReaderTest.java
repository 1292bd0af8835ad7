// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdReaderTest {

    private static final String ID = "0196c0a0-0000-7000-8000-000000000001";

    private static IdList read(String body) throws Exception {
        String type = body.startsWith("<") ? "application/xml" : "application/json";
        return IdReader.read(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)), type);
    }

    @Test
    void idsComeInTheOrderOfTheRequest() throws Exception {
        for (String body : new String[] {
            "{\"job\":[{\"id\":\"" + ID + "\",\"state\":\"X\"},{\"id\":\"abc\"}],\"other\":{\"job\":[1]}}",
            "<jobs xmlns=\"urn:x\"><job><id>" + ID + "</id><state>X</state></job><job><id>abc</id></job></jobs>"
        }) {
            IdList ids = read(body);
            assertThat(ids.size()).isEqualTo(2);
            assertThat(ids.id(0).orElseThrow().toString()).isEqualTo(ID);
            assertThat(ids.id(1)).isEmpty();
            assertThat(ids.text(1)).isEqualTo("abc");
        }
    }

    @Test
    void oneJobMayStandWithoutBracketsAndNoneIsAList() throws Exception {
        assertThat(read("{\"job\": {\"id\": \"" + ID + "\"}}").size()).isEqualTo(1);
        assertThat(read("{\"job\":[]}").size()).isZero();
        assertThat(read("<jobs/>").size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"job\":[{\"id\":\"" + ID + "\"},{\"state\":\"X\"},{\"id\":\"abc\"},{\"id\":1}]}",
                "<jobs><job><id>" + ID + "</id></job><job><state>X</state></job><job><id>abc</id></job><job/></jobs>"
            })
    void aJobWithoutAnIdKeepsItsPlace(String body) throws Exception {
        IdList ids = read(body);
        assertThat(ids.size()).isEqualTo(4);
        assertThat(ids.id(0).orElseThrow().toString()).isEqualTo(ID);
        assertThat(IntStream.range(0, 4).filter(ids::isWithout)).containsExactly(1, 3);
        assertThat(ids.text(2)).isEqualTo("abc");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<job/>", "<job><id></id></job>"})
    void jobsWithoutIdsAreBoundedAsTextsThatAreNone(String job) {
        assertThatThrownBy(() -> read("<jobs>" + job.repeat(10_001) + "</jobs>"))
                .isInstanceOf(ArcRefusal.class)
                .hasMessageContaining("10000 of the ids");
    }

    @Test
    void aHundredThousandIdsAreRead() throws Exception {
        String body = IntStream.range(0, 100_000)
                .mapToObj(i -> "{\"id\":\"" + new UUID(i, i) + "\"}")
                .collect(Collectors.joining(",", "{\"job\":[", "]}"));
        IdList ids = read(body);
        assertThat(ids.size()).isEqualTo(100_000);
        assertThat(ids.text(99_999)).isEqualTo(new UUID(99_999, 99_999).toString());
    }

    @Test
    void whatWouldFillTheMemoryIsRefused() {
        String texts = "{\"id\":\"\"},".repeat(10_001);
        assertThatThrownBy(() -> read("{\"job\":[" + texts + "{\"id\":\"\"}]}"))
                .isInstanceOf(ArcRefusal.class)
                .hasMessageContaining("10000 of the ids");
        String deep = "<a>".repeat(17);
        assertThatThrownBy(() -> read("<jobs>" + deep))
                .isInstanceOf(ArcRefusal.class)
                .hasMessageContaining("deeper than 16");
        String named = IntStream.range(0, 100).mapToObj(i -> "<a" + i + "/>").collect(Collectors.joining());
        assertThatThrownBy(() -> read("<jobs>" + named + "</jobs>"))
                .isInstanceOf(ArcRefusal.class)
                .hasMessageContaining("more than 64 names");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"job\":[{\"id\":\"a\"}",
                "{\"job\":1}",
                "{\"job\":[{\"id\":\"a\"},\"b\",{\"id\":\"c\"}]}",
                "{\"job\":[{\"id\":\"a\"},[{\"id\":\"b\"}]]}",
                "<jobs><job>",
                "<job><id>a</id></job>",
                "<!DOCTYPE jobs [<!ENTITY a \"b\">]><jobs><job><id>&a;</id></job></jobs>"
            })
    void whatIsNoListOfJobsIsRefusedWithTheRule(String body) {
        assertThatThrownBy(() -> read(body)).isInstanceOf(ArcRefusal.class).hasMessageContaining("that can be read");
    }
}
