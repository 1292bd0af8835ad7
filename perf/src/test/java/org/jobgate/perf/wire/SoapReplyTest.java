// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SoapReplyTest {

    @Test
    void textsAreFoundByThePathOfTheirElements() throws IOException {
        SoapReply reply = SoapReply.parse(Replies.CREATED);

        assertThat(reply.text("createManagedJobResponse/managedJobEndpoint/ReferenceProperties/ResourceID"))
                .contains(Replies.JOB_ID);
        assertThat(reply.fault()).isEmpty();
    }

    @Test
    void elementsAreCountedByTheirPath() throws IOException {
        assertThat(SoapReply.parse(Replies.TWO_LISTED).count("listJobsResponse/job/state"))
                .isEqualTo(2);
        assertThat(SoapReply.parse(Replies.TWO_LISTED).count("listJobsResponse/job/exitCode"))
                .isZero();
    }

    @Test
    void aFaultIsItsSentence() throws IOException {
        assertThat(SoapReply.parse(Replies.FAULT).fault()).contains("limits.maxLiveJobs is 10");
    }

    @Test
    void textBrokenOffIsNotTakenForAReply() {
        assertThatIOException().isThrownBy(() -> SoapReply.parse(Replies.CREATED.substring(0, 900)));
    }

    @Test
    void entitiesAreNotResolved() {
        String bomb = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><a><b>&x;</b></a>";

        assertThatIOException().isThrownBy(() -> SoapReply.parse(bomb));
    }

    @Test
    void absurdDepthIsRefused() {
        assertThatIOException().isThrownBy(() -> SoapReply.parse("<a>".repeat(100) + "</a>".repeat(100)));
    }
}
