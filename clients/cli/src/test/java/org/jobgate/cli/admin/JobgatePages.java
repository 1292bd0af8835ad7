// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.Described;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The administrator's command as pages, read from picocli's model of it. */
public final class JobgatePages {
    private JobgatePages() {}

    private record Shown(List<String> names, String argument, String text) implements Described {
        @Override
        public String refusal() {
            return "";
        }
    }

    /** The command itself; its synopsis lists the words that may follow. */
    public static CommandPage whole() {
        return page(Jobgate.commandLine().getCommandSpec(), "jobgate");
    }

    /** Every part that is a command, by name; a command of commands lists what may follow. */
    public static List<CommandPage> parts() {
        List<CommandPage> pages = new ArrayList<>();
        collect(Jobgate.commandLine().getCommandSpec(), "jobgate", pages);
        return pages;
    }

    private static void collect(CommandSpec spec, String path, List<CommandPage> pages) {
        spec.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .sorted(Comparator.comparing(CommandSpec::name))
                .forEach(part -> {
                    String name = path + " " + part.name();
                    pages.add(page(part, name));
                    collect(part, name, pages);
                });
    }

    private static CommandPage page(CommandSpec spec, String name) {
        List<Described> options = new ArrayList<>();
        for (OptionSpec option : spec.options()) {
            String label = option.arity().max() == 0 ? "" : label(option.paramLabel());
            options.add(new Shown(List.of(option.names()), label, sentence(option.description())));
        }
        List<String> words = spec.subcommands().isEmpty()
                ? spec.positionalParameters().stream()
                        .map(PositionalParamSpec::paramLabel)
                        .map(JobgatePages::label)
                        .toList()
                : spec.subcommands().keySet().stream().sorted().toList();
        return new CommandPage(name, sentence(spec.usageMessage().description()), words, List.of(), options, List.of());
    }

    private static String label(String label) {
        return label.replaceAll("[<>]", "").toUpperCase(Locale.ROOT);
    }

    private static String sentence(String[] lines) {
        return String.join(" ", lines).replace("%n", " ").replaceFirst("\\.$", "");
    }
}
