// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.CredentialSearch;
import org.jobgate.cli.tls.TrustDirectory;

/**
 * Where the credentials of the calling user lie, unless the command line says otherwise.
 *
 * @param environment the variables of the process
 * @param home the user's home directory
 * @param temporary where proxies are by default
 */
record ProxyPlaces(Map<String, String> environment, Path home, Path temporary) {
    private static final int BLOCK = 4096;

    ProxyPlaces {
        environment = Map.copyOf(environment);
    }

    static ProxyPlaces ofProcess() {
        Map<String, String> environment = System.getenv();
        return new ProxyPlaces(
                environment,
                Path.of(environment.getOrDefault("HOME", System.getProperty("user.home", "/"))),
                Path.of("/tmp"));
    }

    private CredentialSearch search() {
        return new CredentialSearch(environment, home, temporary, () -> new char[0]);
    }

    Path proxy() throws CredentialException {
        return search().proxyFile();
    }

    Path certificate() {
        return search().certificateFile();
    }

    Path key() {
        return search().keyFile();
    }

    TrustDirectory trusted() throws CredentialException {
        return TrustDirectory.find(environment, home);
    }

    /**
     * Overwrites a file and removes it. On file systems that write elsewhere (snapshots, flash) the old bytes may still be found by one who
     * reads the disk itself.
     *
     * @throws CredentialException it is not there, is no regular file, or may not be written
     */
    static void destroy(Path file) throws CredentialException {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                    throw new CredentialException(
                            "File " + file + " is not a regular file (a link, a directory): it was left alone.");
                }
                throw new NoSuchFileException(file.toString());
            }
            overwrite(file);
            Files.delete(file);
        } catch (NoSuchFileException e) {
            throw new CredentialException("There is no proxy in " + file + ".", e);
        } catch (IOException e) {
            throw new CredentialException(
                    "The proxy in " + file + " could not be removed: " + Sentence.reason(e) + ".", e);
        }
    }

    private static void overwrite(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            long size = channel.size();
            while (channel.position() < size) {
                channel.write(ByteBuffer.allocate((int) Math.min(BLOCK, size - channel.position())));
            }
            channel.force(true);
        }
    }
}
