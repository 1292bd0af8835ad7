// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** Keeps what is logged, from the root logger on. */
final class LogLines implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger root = (Logger) LogManager.getRootLogger();
    private final AbstractAppender appender = new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
            lines.add(event.getMessage().getFormattedMessage() + " "
                    + (event.getThrown() == null ? "" : event.getThrown()));
        }
    };

    LogLines() {
        appender.start();
        root.addAppender(appender);
        root.setLevel(Level.INFO);
    }

    void forget() {
        lines.clear();
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        root.removeAppender(appender);
        appender.stop();
    }
}
