// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.jobgate.gram.service.PasswdHomes;
import org.jobgate.transfer.server.FileServer;
import org.junit.jupiter.api.Test;

/** By which file server clients of CREAM reach a sandbox. */
class CreamPlacesTest {

    private static Cream.Places places(String... servers) {
        return Cream.Places.of(
                new PasswdHomes(), Stream.of(servers).map(FileServer::parse).toList());
    }

    @Test
    void theServerWithTheLongestPathThatIsForTheLrmHasIt() {
        Cream.Places places = places(
                "/=gsiftp://all.example.org/root",
                "/home=gsiftp://home.example.org:2812/export",
                "slurm:/home/big=gsiftp://slurm.example.org",
                "/home=https://web.example.org");

        assertThat(places.fileServer("Fork", "/home/big/a/ID"))
                .contains("gsiftp://home.example.org:2812/export/big/a/ID");
        assertThat(places.fileServer("Slurm", "/home/big/a/ID")).contains("gsiftp://slurm.example.org/a/ID");
        assertThat(places.fileServer("Fork", "/homes/a/ID")).contains("gsiftp://all.example.org/root/homes/a/ID");
    }

    @Test
    void namesAreEncodedAndNobodyIsSentElsewhere() {
        Cream.Places places = places("/home=gsiftp://home.example.org/export");

        assertThat(places.fileServer("Fork", "/home/our users/50%25/ID"))
                .contains("gsiftp://home.example.org/export/our%20users/50%2525/ID");
        assertThat(places.fileServer("Fork", "/homes/a/ID")).isEmpty();
        assertThat(places.fileServer("Fork", "/home/../etc")).isEmpty();
        assertThat(Cream.Places.of(new PasswdHomes(), List.of()).fileServer("Fork", "/home/a/ID"))
                .isEmpty();
    }
}
