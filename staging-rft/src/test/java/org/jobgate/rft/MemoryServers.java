// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jobgate.gridftp.SubjectName;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/** Servers of files in memory, in the place of GridFTP's: they demand a credential as those do, and each writing may be held up. */
final class MemoryServers implements Protocol {

    final Map<URI, byte[]> files = new ConcurrentHashMap<>();
    /** How many writings may be made; more wait. */
    final Semaphore writings = new Semaphore(1_000_000);

    /** As servers of GridFTP, which are known by any name that is one. */
    @Override
    public Optional<String> refusal(Map<String, String> options, End end) {
        try {
            for (String option : end.options()) {
                String subject = options.get(option);
                if (subject != null) {
                    assertThat(SubjectName.parse(subject)).isNotNull();
                }
            }
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Set<String> schemes() {
        return Set.of("gsiftp");
    }

    /** Its hosts are nowhere. */
    @Override
    public boolean namesServer() {
        return false;
    }

    @Override
    public boolean needsCredential() {
        return true;
    }

    private byte[] content(URI url) throws TransferException {
        byte[] content = files.get(url);
        if (content == null) {
            throw new TransferException(Kind.PERMANENT, "there is no " + url, "Name another.");
        }
        return content;
    }

    @Override
    public Source open(URI source, long offset, String version, TransferContext context) throws TransferException {
        byte[] content = content(source);
        return new Source(0, content.length, "", new ByteArrayInputStream(content));
    }

    @Override
    public void store(Source source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        writings.acquire();
        try {
            byte[] content = source.bytes().readAllBytes();
            files.put(destination, content);
            context.progress().moved(content.length);
        } catch (IOException e) {
            throw TransferException.of(e, "reading");
        }
    }

    @Override
    public List<Entry> list(URI directory, TransferContext context) {
        return files.keySet().stream()
                .map(URI::toString)
                .filter(name -> name.startsWith(directory.toString()))
                .map(name -> new Entry(name.substring(directory.toString().length()), Entry.Kind.FILE, Source.UNKNOWN))
                .toList();
    }

    @Override
    public void makeDirectory(URI directory, TransferContext context) {
        // a map needs none
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
