// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/** A server of tests, in memory: its hosts fail on demand, and what is asked of it can be watched. */
final class MemoryServer implements Protocol {
    final Map<String, byte[]> files = new ConcurrentHashMap<>();
    final Set<String> failing = ConcurrentHashMap.newKeySet();

    /** A write to a failing server leaves so many bytes. */
    volatile int untilCut = 100;

    volatile boolean refusesList;

    /** What is to happen when something was written. */
    volatile Runnable onStore = () -> {};

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    /** Its hosts are nowhere. */
    @Override
    public boolean namesServer() {
        return false;
    }

    @Override
    public Source open(URI source, long offset, String version, TransferContext context) throws TransferException {
        byte[] there = refusesList ? null : files.get(source.getPath());
        if (there == null) {
            throw new TransferException(Kind.PERMANENT, "no such file", "Correct it.");
        }
        return new Source(0, there.length, "", new ByteArrayInputStream(there));
    }

    @Override
    public void store(Source source, URI destination, TransferContext context) throws TransferException {
        boolean fails = failing.contains(destination.getHost());
        try {
            byte[] bytes =
                    fails ? source.bytes().readNBytes(untilCut) : source.bytes().readAllBytes();
            files.put(destination.getPath(), bytes);
            context.progress().moved(bytes.length);
        } catch (IOException e) {
            throw TransferException.of(e, "reading");
        }
        onStore.run();
        if (fails) {
            throw new TransferException(Kind.SERVER, "the line was cut, on purpose", "Wait.");
        }
    }

    @Override
    public List<Entry> list(URI directory, TransferContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void makeDirectory(URI directory, TransferContext context) {
        // directories are there
    }

    @Override
    public boolean delete(URI file, TransferContext context) {
        return files.remove(file.getPath()) != null;
    }

    @Override
    public void close() {}
}
