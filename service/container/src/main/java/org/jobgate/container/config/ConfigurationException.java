// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.util.List;

/** The configuration cannot be used, for these reasons; each names the file, the setting, its value and the rule. */
public final class ConfigurationException extends RuntimeException {

    private final transient List<String> problems;

    public ConfigurationException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
