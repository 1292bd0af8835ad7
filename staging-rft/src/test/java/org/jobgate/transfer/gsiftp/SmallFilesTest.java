// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.gridftp.ServerAddress;
import org.junit.jupiter.api.Test;

class SmallFilesTest {

    private static final ServerAddress SERVER = new ServerAddress("data.example.org", 2811);

    @Test
    void onlySmallFilesOfAKnownSizeAreTaken() {
        SmallFiles small = new SmallFiles(System::nanoTime);
        assertThat(small.takes(SERVER, 0)).isTrue();
        assertThat(small.takes(SERVER, 256 * 1024)).isTrue();
        assertThat(small.takes(SERVER, 256 * 1024 + 1)).isFalse();
        assertThat(small.takes(SERVER, -1)).isFalse();
    }

    @Test
    void aServerThatFailsIsSparedForAWhile() {
        AtomicLong now = new AtomicLong();
        SmallFiles small = new SmallFiles(now::get);
        small.spare(SERVER, "no route");
        assertThat(small.takes(SERVER, 1)).isFalse();
        assertThat(small.takes(new ServerAddress("other.example.org", 2811), 1)).isTrue();
        now.addAndGet(TimeUnit.MINUTES.toNanos(10));
        assertThat(small.takes(SERVER, 1)).isTrue();
    }
}
