// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.jobgate.files.FileNames;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlsTest {

    /** Java's own encoding makes one letter of a letter and its accent, which are two in the name. */
    @ParameterizedTest
    @CsvSource({
        "https://h/ä b, https://h/%C3%A4%20b",
        "https://h/a|b?q=ä#f, https://h/a%7Cb?q=%C3%A4#f",
        "gsiftp://[::1]:2811/%7Ea/[x], gsiftp://[::1]:2811/%7Ea/%5Bx%5D",
        "file:///e\u0301, file:///e%CC%81",
    })
    void whatMayNotStandInAUrlIsEncodedByteForByte(String text, String url) {
        assertThat(Urls.parse(text)).hasToString(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://h/%zz", "h/a", "mailto:a", "https://h"})
    void whatIsNoUrlIsSaid(String text) {
        assertThatThrownBy(() -> Urls.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "a b", "100%", "ä", "a:b;c", "x\ty\n", "a\\b"})
    void whatIsInADirectoryIsNamedByteForByte(String name) {
        URI inside = Urls.inside(URI.create("gsiftp://h/d%20/"), name, false);
        assertThat(FileNames.decoded(inside.getRawPath())).isEqualTo("/d /" + name);
        String raw = FileNames.decoded("caf%E9" + FileNames.encoded(name));
        assertThat(Urls.inside(URI.create("file:///d/"), raw, true).getRawPath())
                .startsWith("/d/caf%E9")
                .endsWith("/");
    }
}
