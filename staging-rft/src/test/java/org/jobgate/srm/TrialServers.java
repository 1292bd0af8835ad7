// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/** Servers of files in memory, and the files of the test's trees; a server demands a credential, and each writing may be held up. */
record TrialServers(Map<URI, byte[]> files, Semaphore writings, Set<String> credentials, UnaryOperator<Path> places)
        implements Protocol {

    /** @param places where a path of the account is in the test's folder */
    TrialServers(UnaryOperator<Path> places) {
        this(new ConcurrentHashMap<>(), new Semaphore(1_000_000), ConcurrentHashMap.newKeySet(), places);
    }

    private static boolean isLocal(URI url) {
        return url.getScheme().equals("file");
    }

    @Override
    public Set<String> schemes() {
        return Set.of("gsiftp", "file");
    }

    @Override
    public boolean namesServer() {
        return false;
    }

    @Override
    public boolean needsCredential() {
        return true;
    }

    private byte[] content(URI url) throws TransferException {
        if (isLocal(url)) {
            try {
                return Files.readAllBytes(places.apply(Path.of(url.getPath())));
            } catch (NoSuchFileException e) {
                throw new TransferException(Kind.PERMANENT, "there is no " + url, "Name another.");
            } catch (IOException e) {
                throw TransferException.of(e, "reading");
            }
        }
        byte[] content = files.get(url);
        if (content == null) {
            throw new TransferException(Kind.PERMANENT, "there is no " + url, "Name another.");
        }
        return content;
    }

    @Override
    public Source open(URI source, long offset, String version, TransferContext context) throws TransferException {
        note(context);
        byte[] content = content(source);
        return new Source(0, content.length, "", new ByteArrayInputStream(content));
    }

    private void note(TransferContext context) {
        if (context.credential() != null) {
            credentials.add(context.credential().id());
        }
    }

    @Override
    public void store(Source source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        writings.acquire();
        note(context);
        try {
            byte[] content = source.bytes().readAllBytes();
            if (isLocal(destination)) {
                Files.write(places.apply(Path.of(destination.getPath())), content);
            } else {
                files.put(destination, content);
            }
            context.progress().moved(content.length);
        } catch (IOException e) {
            throw TransferException.of(e, "reading");
        }
    }

    @Override
    public List<Entry> list(URI directory, TransferContext context) {
        throw new UnsupportedOperationException("no directory is copied");
    }

    @Override
    public void makeDirectory(URI directory, TransferContext context) {
        throw new UnsupportedOperationException("no directory is copied");
    }

    @Override
    public boolean delete(URI file, TransferContext context) {
        return files.remove(file) != null;
    }

    @Override
    public void close() {
        // nothing is open
    }
}
