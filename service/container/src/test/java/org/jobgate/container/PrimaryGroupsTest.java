// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.jobgate.job.FaultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrimaryGroupsTest {

    @Test
    void rootsGroupIsRoot() {
        assertThat(new PrimaryGroups().of("root")).contains("root");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody-has-this-name", "--help", "-u"})
    void anAccountThatIsNotThereHasNone(String account) {
        assertThat(new PrimaryGroups().of(account)).isEmpty();
    }

    @Test
    void whatCannotBeAskedIsTold() {
        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> new PrimaryGroups(List.of("/nonexistent/id")).of("root"))
                .withMessageContaining("primary group of the account root");
    }
}
