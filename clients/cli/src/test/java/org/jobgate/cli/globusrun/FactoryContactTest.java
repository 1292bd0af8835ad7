// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jobgate.cli.command.CommandException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FactoryContactTest {
    @ParameterizedTest
    @CsvSource({
        "host, https://host:8443/wsrf/services/ManagedJobFactoryService",
        "host:9000, https://host:9000/wsrf/services/ManagedJobFactoryService",
        "https://host, https://host:8443/wsrf/services/ManagedJobFactoryService",
        "host/x/y, https://host:8443/x/y",
        "HTTPS://1.2.3.4:1/, https://1.2.3.4:1/wsrf/services/ManagedJobFactoryService",
        "[::1]:9000, https://[::1]:9000/wsrf/services/ManagedJobFactoryService",
    })
    void completesWhatIsLeftOut(String contact, String address) throws CommandException {
        assertThat(FactoryContact.address(contact)).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "http://host", "host:99999", "host:0", "host:x", "a:b:c", "://x"})
    void refusesWhatIsNone(String contact) {
        assertThatThrownBy(() -> FactoryContact.address(contact)).isInstanceOf(CommandException.class);
    }
}
