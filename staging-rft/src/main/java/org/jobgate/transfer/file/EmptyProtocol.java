// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.file;

import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/** {@code empty:///}: a directory with nothing in it, always there. To copy it makes a directory, as clients have always done it. */
public final class EmptyProtocol implements Protocol {

    public static final URI DIRECTORY = URI.create("empty:///");

    @Override
    public Set<String> schemes() {
        return Set.of("empty");
    }

    /** There is no server whose name could be another. */
    @Override
    public Optional<String> refusal(Map<String, String> options, End end) {
        return Optional.empty();
    }

    @Override
    public Source open(URI source, long offset, String version, TransferContext context) {
        return new Source(0, 0, "", InputStream.nullInputStream());
    }

    @Override
    public void store(Source source, URI destination, TransferContext context) throws TransferException {
        throw readOnly();
    }

    @Override
    public List<Entry> list(URI directory, TransferContext context) {
        return List.of();
    }

    @Override
    public void makeDirectory(URI directory, TransferContext context) throws TransferException {
        throw readOnly();
    }

    @Override
    public boolean delete(URI file, TransferContext context) throws TransferException {
        throw readOnly();
    }

    private static TransferException readOnly() {
        return new TransferException(
                Kind.PERMANENT, "empty: is nothing that can be written", "Use another destination.");
    }

    @Override
    public void close() {}
}
