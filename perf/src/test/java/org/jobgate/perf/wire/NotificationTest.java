// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class NotificationTest {

    @Test
    void aMessageIsReadForItsJobAndState() throws IOException {
        assertThat(Notification.parse(Replies.notify("some-job", "Active")))
                .isEqualTo(new Notification("some-job", "Active"));
    }

    @Test
    void whatNamesNoJobOrNoStateIsRefused() {
        assertThatIOException()
                .isThrownBy(() -> Notification.parse(Replies.notify("", "Active")))
                .withMessageContaining("names no job");
        assertThatIOException()
                .isThrownBy(() -> Notification.parse(Replies.notify("some-job", "")))
                .withMessageContaining("names no state");
        assertThatIOException().isThrownBy(() -> Notification.parse("state=Done"));
    }
}
