// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

/** What is logged. */
@Section("What is logged, to `logs/` in the state directory.")
public record LogConfig(
        @Setting(
                description = "The least important messages to log: `error`, `warn`, `info`, `debug` or `trace`.",
                byDefault = "info")
        Level level,

        @Setting(description = "`text` for people, `json` for programs.", byDefault = "text")
        Format format,

        @Setting(
                description =
                        "Whether to log to the standard output as well: `auto` does so unless it is a file or /dev/null.",
                byDefault = "auto")
        Console console,

        @Setting(description = "Whether to write one line for each request to access.log.", byDefault = "true")
        boolean access,

        @Setting(
                description = "A log file that has grown to this size is put aside.",
                byDefault = "20MiB",
                min = "64KiB",
                max = "10GiB")
        DataSize fileSize,

        @Setting(
                description = "How many files that were put aside are kept of each log.",
                byDefault = "5",
                min = "1",
                max = "1000")
        int files) {

    /** How important a message is. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    /** How a message is written. */
    public enum Format {
        TEXT,
        JSON
    }

    /** Whether to log to the standard output. */
    public enum Console {
        AUTO,
        ON,
        OFF
    }
}
