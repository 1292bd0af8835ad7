// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A directory of commands that stand before the real ones of an LRM, and while they are told to be faulty do at random: nothing and say so
 * (fail), nothing and say nothing (empty), the work but lose the answer (lose), or give half of it (short), or garbage, or that of another
 * user (foreign), or never come to an end (hang).
 */
final class FaultyCommands implements AutoCloseable {

    private static final String WRAPPER = """
            #!/usr/bin/perl
            use strict;
            use warnings;
            my ($directory, $real, $account, $other) = ('@DIRECTORY@', '@REAL@', '@ACCOUNT@', '@OTHER@');
            exec { $real } $real, @ARGV unless -e "$directory/faulty" && rand() < @SHARE@;
            my @kinds = qw(fail empty lose short garbage foreign hang);
            my $kind = $kinds[ rand @kinds ];
            open my $done, '>>', "$directory/done" or die $!;
            syswrite $done, "@NAME@ $kind\\n";
            if ($kind eq 'hang') { sleep 60; exit 1 }
            if ($kind eq 'fail') { print STDERR "the LRM is away, by order of a test\\n"; exit 1 }
            exit 0 if $kind eq 'empty';
            open my $run, '-|', $real, @ARGV or exit 127;
            my $out = do { local $/; <$run> } // '';
            close $run;
            if ($kind eq 'lose') { print STDERR "time-out, by order of a test\\n"; exit 1 }
            $out = substr $out, 0, length($out) / 2 if $kind eq 'short';
            $out =~ s/$account/$other/g if $kind eq 'foreign';
            $out = join '', map { chr rand 256 } 1 .. 500 if $kind eq 'garbage';
            print $out;
            """;

    private final Path directory;

    /**
     * Commands that are faultless at first.
     *
     * @param real the real commands, which are called by their file names
     * @param account whose name is replaced in answers that are to be another's
     * @param share how many of the calls go wrong, from 0 to 1
     */
    FaultyCommands(List<Path> real, String account, double share) throws IOException {
        directory = Files.createTempDirectory("jobgate-faults-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        for (Path command : real) {
            String name = command.getFileName().toString();
            Path wrapper = Files.writeString(
                    directory.resolve(name),
                    WRAPPER.replace("@DIRECTORY@", directory.toString())
                            .replace("@REAL@", command.toString())
                            .replace("@NAME@", name)
                            .replace("@ACCOUNT@", account)
                            .replace("@OTHER@", account.equals("jobgate-c") ? "jobgate-b" : "jobgate-c")
                            .replace("@SHARE@", String.valueOf(share)));
            Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    Path directory() {
        return directory;
    }

    void begin() throws IOException {
        Files.writeString(directory.resolve("faulty"), "");
    }

    void end() throws IOException {
        Files.deleteIfExists(directory.resolve("faulty"));
    }

    /** How often each command went wrong in which way. */
    Map<String, Long> done() throws IOException {
        Path file = directory.resolve("done");
        if (!Files.exists(file)) {
            return Map.of();
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.collect(Collectors.groupingBy(line -> line, TreeMap::new, Collectors.counting()));
        }
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
