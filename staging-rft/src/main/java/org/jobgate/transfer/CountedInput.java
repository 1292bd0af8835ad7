// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.io.IOException;
import java.io.InputStream;
import org.jobgate.transfer.protocol.BlockInputStream;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.Source;

/** Tells of every byte that a source gives, when it gives it. */
final class CountedInput extends BlockInputStream {

    private final InputStream source;
    private final Progress progress;

    /** The same source, which tells what it gives. */
    static Source of(Source source, Progress progress) {
        return new Source(source.start(), source.size(), source.version(), new CountedInput(source.bytes(), progress));
    }

    private CountedInput(InputStream source, Progress progress) {
        this.source = source;
        this.progress = progress;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int count = source.read(into, from, length);
        if (count > 0) {
            progress.came(count);
        }
        return count;
    }

    @Override
    public int available() throws IOException {
        return source.available();
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
