// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.job.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a file of rules where sudo reads it, in one step and only if sudo can read all of its rules with it: a mistake in one file takes sudo
 * from the whole machine.
 *
 * @param directory where sudo looks for files of rules, e.g. {@code /etc/sudoers.d}
 * @param visudo the program that checks them
 */
record SudoersDirectory(Path directory, Path visudo) {

    private static final Logger LOG = LoggerFactory.getLogger(SudoersDirectory.class);

    /** What sudo wants of its files. */
    private static final String MODE = "r--r-----";

    SudoersDirectory {
        requireNonNull(directory, "directory is null");
        requireNonNull(visudo, "visudo is null");
    }

    /**
     * Installs the rules, in place of those of the same name.
     *
     * @return where they are now
     * @throws ConfigurationException if it cannot be done, or they are not good; then all is as it was
     */
    Path install(String name, String rules) {
        Path target = directory.resolve(name);
        // sudo reads no file with a dot in its name
        Path made = directory.resolve("." + name + ".new");
        Path before = directory.resolve("." + name + ".old");
        try {
            Files.deleteIfExists(made);
            Files.deleteIfExists(before);
            write(made, rules);
            refuseUnlessGood(made);
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                Files.createLink(before, target);
            }
            Files.move(made, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            refuseUnlessAllGood(target, before);
            return target;
        } catch (IOException e) {
            throw new ConfigurationException(List.of("the rules cannot be put into " + directory + ": " + Reason.of(e)
                    + "; run this as root, and name the directory that sudo reads by --install DIRECTORY"));
        } finally {
            remove(made);
            remove(before);
        }
    }

    private static void write(Path file, String rules) throws IOException {
        try (FileChannel out = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(MODE)))) {
            ByteBuffer bytes = ByteBuffer.wrap(rules.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        // whatever the umask left of it
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(MODE));
    }

    private void refuseUnlessGood(Path file) {
        Programs.Result checked = visudo("-c", "-f", file.toString());
        if (!checked.isWell()) {
            throw refused("visudo refuses the rules (" + said(checked) + ")");
        }
    }

    /** Names in one file may meet those in another, which only all of them together show. */
    private void refuseUnlessAllGood(Path target, Path before) throws IOException {
        Programs.Result checked = visudo("-c");
        if (checked.isWell()) {
            return;
        }
        if (Files.exists(before, LinkOption.NOFOLLOW_LINKS)) {
            Files.move(before, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.delete(target);
        }
        throw refused(
                "with the rules in " + target + " visudo does not accept all rules of sudo (" + said(checked) + ")");
    }

    private Programs.Result visudo(String... words) {
        List<String> command = new ArrayList<>(List.of(visudo.toString()));
        command.addAll(List.of(words));
        return Programs.run(command);
    }

    private static ConfigurationException refused(String why) {
        return new ConfigurationException(
                List.of(why + "; all is as it was. Mend what it names, and run visudo -c before you try again"));
    }

    private static String said(Programs.Result checked) {
        return checked.output().isEmpty()
                ? "it says nothing"
                : String.join("; ", checked.output().lines().limit(3).toList());
    }

    /** What is left of an attempt is read by nobody; that it stays is no reason to fail. */
    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{} was left behind ({}); sudo does not read it. Remove it.", file, Reason.of(e));
        }
    }
}
