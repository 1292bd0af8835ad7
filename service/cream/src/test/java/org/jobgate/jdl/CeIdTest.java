// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of queues as users write them. */
class CeIdTest {

    @ParameterizedTest
    @CsvSource({
        "ce.example.org:8443/cream-pbs-long,ce.example.org,8443,pbs,long",
        "ce/cream-slurm-my-queue,ce,8443,slurm,my-queue",
        "[::1]:9443/cream-condor-default,[::1],9443,condor,default"
    })
    void aNameIsReadAndWritten(String text, String host, int port, String lrm, String queue) {
        assertThat(CeId.parse(text)).contains(new CeId(host, port, lrm, queue));
        assertThat(CeId.parse(CeId.parse(text).orElseThrow().toString())).contains(new CeId(host, port, lrm, queue));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ce:8443",
                "ce:8443/cream-pbs",
                "ce:8443/cream-pbs-",
                "ce:0/cream-pbs-q",
                "ce:70000/cream-pbs-q",
                "ce:x/cream-pbs-q",
                "ce/jobmanager-pbs-q",
                "/cream-pbs-q",
                "ce:8443/cream--q"
            })
    void anotherTextIsNone(String text) {
        assertThat(CeId.parse(text)).isEmpty();
    }

    @Test
    void aVeryLongTextIsNone() {
        assertThat(CeId.parse("a".repeat(100_000) + "/cream-pbs-q")).isEmpty();
    }
}
