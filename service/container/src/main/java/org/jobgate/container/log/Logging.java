// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.builder.api.AppenderComponentBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilderFactory;
import org.apache.logging.log4j.core.config.builder.api.LayoutComponentBuilder;
import org.apache.logging.log4j.core.config.builder.impl.BuiltConfiguration;
import org.jobgate.authz.AuthorizationChain;
import org.jobgate.container.config.LogConfig;

/**
 * Sets the log up: {@code jobgate.log} and {@code access.log}, both put aside when they have grown. Line breaks in messages are
 * escaped, so that no client can forge a line of the log.
 */
public final class Logging {

    private static final String LINE =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level [%X{request}%notEmpty{ job=%X{job}}] %logger{1} %enc{%m}{CRLF}%n%ex{40}";
    private static final String ACCESS_LINE = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %enc{%m}{CRLF}%n";
    private static final String CONSOLE_LINE = "%-5level %m%n%ex{40}";
    private static final String CONSOLE = "console";

    /** Messages to this logger reach the administrator who starts the service, even when the log goes to files only. */
    private static final String STARTER = "org.jobgate.container.Main";

    /** Others' code speaks in our log only when it matters. */
    private static final Map<LogConfig.Level, Level> OTHERS = Map.of(
            LogConfig.Level.ERROR, Level.ERROR,
            LogConfig.Level.WARN, Level.WARN,
            LogConfig.Level.INFO, Level.WARN,
            LogConfig.Level.DEBUG, Level.INFO,
            LogConfig.Level.TRACE, Level.DEBUG);

    private Logging() {}

    /** Routes every logging system to Log4j. To be called before any class that logs is loaded. */
    public static void capture() {
        System.setProperty("org.apache.cxf.Logger", "org.apache.cxf.common.logging.Slf4jLogger");
        System.setProperty("java.util.logging.manager", "org.apache.logging.log4j.jul.LogManager");
        // the end of the log is ours to order: after the store is closed
        System.setProperty("log4j.shutdownHookEnabled", "false");
    }

    /** Until the configuration is read: to the standard error, for people. */
    public static void toConsole() {
        ConfigurationBuilder<BuiltConfiguration> builder = builder();
        builder.add(console(builder, true));
        builder.add(builder.newRootLogger(Level.WARN).add(builder.newAppenderRef(CONSOLE)));
        builder.add(builder.newLogger("org.jobgate", Level.INFO));
        Configurator.initialize(builder.build(false));
    }

    /** As configured, to files in the directory, which must exist. */
    public static void start(LogConfig config, Path directory) {
        ConfigurationBuilder<BuiltConfiguration> builder = builder();
        boolean console = wantsConsole(config.console());
        builder.add(console(builder, false));
        builder.add(
                file(builder, config, "main", directory.resolve("jobgate"), layout(builder, config.format()), true));
        builder.add(file(
                builder, config, "access", directory.resolve("access"), accessLayout(builder, config.format()), false));
        var root = builder.newRootLogger(OTHERS.get(config.level())).add(builder.newAppenderRef("main"));
        builder.add(console ? root.add(builder.newAppenderRef(CONSOLE)) : root);
        builder.add(
                builder.newLogger("org.jobgate", Level.valueOf(config.level().name())));
        // decisions are a record: a level that hides other news does not hide them
        builder.add(builder.newLogger(
                AuthorizationChain.AUDIT, config.level() == LogConfig.Level.DEBUG ? Level.DEBUG : Level.INFO));
        builder.add(builder.newLogger("org.jobgate.access", config.access() ? Level.INFO : Level.OFF)
                .add(builder.newAppenderRef("access"))
                .addAttribute("additivity", false));
        // a fault that a client caused is the client's; CXF would print a stack trace for each
        builder.add(builder.newLogger("org.apache.cxf.phase.PhaseInterceptorChain", Level.ERROR));
        if (!console) {
            builder.add(builder.newLogger(STARTER, Level.INFO)
                    .add(builder.newAppenderRef(CONSOLE).addAttribute("level", Level.WARN)));
        }
        Configurator.reconfigure(builder.build(false));
    }

    /** Writes what is still held back and closes the files. */
    public static void stop() {
        LogManager.shutdown();
    }

    private static ConfigurationBuilder<BuiltConfiguration> builder() {
        ConfigurationBuilder<BuiltConfiguration> builder = ConfigurationBuilderFactory.newConfigurationBuilder();
        builder.setStatusLevel(Level.WARN);
        builder.setShutdownHook("disable");
        return builder;
    }

    private static AppenderComponentBuilder console(ConfigurationBuilder<BuiltConfiguration> builder, boolean early) {
        return builder.newAppender(CONSOLE, "Console")
                .addAttribute("target", early ? "SYSTEM_ERR" : "SYSTEM_OUT")
                .add(builder.newLayout("PatternLayout").addAttribute("pattern", early ? CONSOLE_LINE : LINE));
    }

    private static AppenderComponentBuilder file(
            ConfigurationBuilder<BuiltConfiguration> builder,
            LogConfig config,
            String name,
            Path stem,
            LayoutComponentBuilder layout,
            boolean flush) {
        return builder.newAppender(name, "RollingFile")
                .addAttribute("fileName", stem + ".log")
                .addAttribute("filePattern", stem + "-%i.log.gz")
                .addAttribute("filePermissions", "rw-------")
                .addAttribute("immediateFlush", flush)
                .add(layout)
                .addComponent(builder.newComponent("SizeBasedTriggeringPolicy")
                        .addAttribute("size", Long.toString(config.fileSize().bytes())))
                .addComponent(builder.newComponent("DefaultRolloverStrategy").addAttribute("max", config.files()));
    }

    private static LayoutComponentBuilder layout(
            ConfigurationBuilder<BuiltConfiguration> builder, LogConfig.Format format) {
        return format == LogConfig.Format.JSON
                ? builder.newLayout("JsonTemplateLayout").addAttribute("eventTemplateUri", "classpath:EcsLayout.json")
                : builder.newLayout("PatternLayout").addAttribute("pattern", LINE);
    }

    private static LayoutComponentBuilder accessLayout(
            ConfigurationBuilder<BuiltConfiguration> builder, LogConfig.Format format) {
        return format == LogConfig.Format.JSON
                ? layout(builder, format)
                : builder.newLayout("PatternLayout").addAttribute("pattern", ACCESS_LINE);
    }

    private static boolean wantsConsole(LogConfig.Console console) {
        return switch (console) {
            case ON -> true;
            case OFF -> false;
            case AUTO -> isWatched();
        };
    }

    /** Whether somebody reads the standard output: a terminal or a pipe, and neither a file nor /dev/null. */
    private static boolean isWatched() {
        Path output = Path.of("/proc/self/fd/1");
        try {
            Path target = Files.readSymbolicLink(output);
            return !target.equals(Path.of("/dev/null")) && !Files.isRegularFile(output);
        } catch (IOException e) {
            // not a Linux: rather one log too many than none
            return true;
        }
    }
}
