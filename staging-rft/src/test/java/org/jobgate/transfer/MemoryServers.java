// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/** Servers in memory, whose files can be made longer. Each write is noted as where it began and ended. */
final class MemoryServers implements Protocol {
    final Map<String, byte[]> files = new ConcurrentHashMap<>();
    final Set<String> failing = ConcurrentHashMap.newKeySet();
    final List<String> writes = new CopyOnWriteArrayList<>();
    final Set<String> seen = ConcurrentHashMap.newKeySet();
    final List<String> abandoned = new CopyOnWriteArrayList<>();

    /** A write to a failing server breaks off after so many bytes, which are there then. */
    volatile int untilCut;

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
    public boolean appends() {
        return true;
    }

    private void write(URI url, byte[] before, Source source, TransferContext context) throws TransferException {
        boolean fails = failing.contains(url.getHost());
        seen.add(String.valueOf(context.credential()));
        try {
            byte[] bytes =
                    fails ? source.bytes().readNBytes(untilCut) : source.bytes().readAllBytes();
            byte[] all = Arrays.copyOf(before, before.length + bytes.length);
            System.arraycopy(bytes, 0, all, before.length, bytes.length);
            context.progress().moved(bytes.length);
            if (!fails || before.length > 0) {
                files.put(url.getPath(), all);
            }
            writes.add(url.getPath() + " " + before.length + "-" + all.length);
        } catch (IOException e) {
            throw TransferException.of(e, "reading");
        }
        if (fails) {
            throw new TransferException(Kind.SERVER, "the line was cut, on purpose", "Wait.");
        }
    }

    @Override
    public boolean append(Source source, URI destination, TransferContext context) throws TransferException {
        byte[] there = files.get(destination.getPath());
        if (there == null || there.length < source.start()) {
            return false;
        }
        write(destination, Arrays.copyOf(there, (int) source.start()), source, context);
        return true;
    }

    @Override
    public void store(Source source, URI destination, TransferContext context) throws TransferException {
        write(destination, new byte[0], source, context);
    }

    @Override
    public long size(URI file, TransferContext context) {
        byte[] there = files.get(file.getPath());
        return there == null ? -1 : there.length;
    }

    @Override
    public void abandon(URI destination, TransferContext context) {
        abandoned.add(destination.getPath() + " as " + context.credential());
    }

    @Override
    public Source open(URI source, long offset, String version, TransferContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Entry> list(URI directory, TransferContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void makeDirectory(URI directory, TransferContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean delete(URI file, TransferContext context) {
        return files.remove(file.getPath()) != null;
    }

    @Override
    public void close() {}
}
