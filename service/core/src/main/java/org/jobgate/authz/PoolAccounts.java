// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jobgate.job.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases of pool accounts, in a directory: one empty file for each account, made by the administrator ({@code atlas001}), and for each
 * lease a further hard link to it, named by pool and leaseholder. So a lease is one operation of the file system, which two gateways
 * on one directory cannot both win, and it is on disk before the account is used.
 *
 * <p>A lease never ends by itself: what the former holder has left in the account would be the next one's. To end one, clean the account
 * and remove its link.
 */
public final class PoolAccounts implements Watched {

    /** How many accounts one pool may have. */
    static final int MAX_ACCOUNTS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(PoolAccounts.class);
    private static final String LEASE = "lease:";

    private final Path directory;
    private final ConcurrentHashMap<String, String> known = new ConcurrentHashMap<>();

    /** @param directory must be there; the gateway's account must be able to write it */
    public PoolAccounts(Path directory) {
        this.directory = requireNonNull(directory, "directory is null");
    }

    @Override
    public Optional<String> trouble() {
        return Files.isDirectory(directory) && Files.isWritable(directory)
                ? Optional.empty()
                : Optional.of("The directory of pool accounts " + directory
                        + " is not there or cannot be written: nobody new gets a pool account");
    }

    /** The account of the pool that the subject holds. */
    Optional<String> find(String pool, String subject) {
        Path lease = directory.resolve(leaseName(pool, subject));
        String cached = known.get(lease.getFileName().toString());
        try {
            if (!Files.exists(lease)) {
                known.remove(lease.getFileName().toString());
                return Optional.empty();
            }
            if (cached != null && Files.isSameFile(lease, directory.resolve(cached))) {
                return Optional.of(cached);
            }
            for (String account : accounts(pool)) {
                if (Files.isSameFile(lease, directory.resolve(account))) {
                    known.put(lease.getFileName().toString(), account);
                    return Optional.of(account);
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Gives the subject an account of the pool for good.
     *
     * @return empty if all are held
     */
    synchronized Optional<String> lease(String pool, String subject) {
        Path lease = directory.resolve(leaseName(pool, subject));
        try {
            for (String account : accounts(pool)) {
                if (links(account) == 1 && take(lease, account)) {
                    LOG.info("The pool account {} is leased to {}.", account, subject);
                    return find(pool, subject);
                }
            }
            return find(pool, subject);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Makes the link; takes it back if another gateway was faster with the same account. */
    private boolean take(Path lease, String account) throws IOException {
        try {
            Files.createLink(lease, directory.resolve(account));
        } catch (FileAlreadyExistsException e) {
            // another gateway has just leased this subject an account: that one holds
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
        if (links(account) > 2) {
            Files.delete(lease);
            return false;
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
        return true;
    }

    /** The account that the next one would get. */
    Optional<String> next(String pool) {
        try {
            for (String account : accounts(pool)) {
                if (links(account) == 1) {
                    return Optional.of(account);
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** How full the pool is, for people. */
    String outlook(String pool) {
        try {
            List<String> accounts = accounts(pool);
            int held = 0;
            for (String account : accounts) {
                held += links(account) > 1 ? 1 : 0;
            }
            return "of the " + accounts.size() + " accounts of the pool ." + pool + " " + held + " are leased";
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private int links(String account) throws IOException {
        return (Integer) Files.getAttribute(directory.resolve(account), "unix:nlink");
    }

    private List<String> accounts(String pool) throws IOException {
        Pattern name = Pattern.compile(Pattern.quote(pool) + "[0-9]{1,6}");
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> name.matcher(file).matches())
                    .sorted()
                    .limit(MAX_ACCOUNTS)
                    .toList();
        }
    }

    /** The beginning of the subject, so that people find it, and a digest of all of it, so that it is one. */
    static String leaseName(String pool, String subject) {
        String readable = subject.replaceAll("[^A-Za-z0-9=.-]", "_");
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(subject.getBytes(StandardCharsets.UTF_8));
            return LEASE + pool + ":" + readable.substring(0, Math.min(readable.length(), 100)) + ":"
                    + HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private IllegalStateException failed(IOException e) {
        return new IllegalStateException("the leases in " + directory + " cannot be used: " + Reason.of(e), e);
    }
}
