// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;

/** What the tests of several protocols try with a server of each. */
public final class ProtocolCases {

    private ProtocolCases() {}

    /**
     * Reads a file whole, from its middle on, and from its beginning where another file was there before.
     *
     * @param content of the file, more than a million bytes
     */
    public static void readAndGoOn(Protocol protocol, URI file, byte[] content, TransferContext context)
            throws Exception {
        String version;
        try (Source source = protocol.open(file, 0, "", context)) {
            assertThat(source.size()).isEqualTo(content.length);
            assertThat(source.bytes().readAllBytes()).isEqualTo(content);
            version = source.version();
        }
        try (Source source = protocol.open(file, 1_000_000, version, context)) {
            assertThat(source.start()).isEqualTo(1_000_000);
            assertThat(source.bytes().readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 1_000_000, content.length));
        }
        try (Source source = protocol.open(file, 1_000_000, "other", context)) {
            assertThat(source.start()).isZero();
            assertThat(source.bytes().read()).isEqualTo(content[0] & 0xff); // and closed early
        }
    }

    /** The file is there with this content, and no other of ours beside it. */
    public static void assertThere(Path file, byte[] content) throws Exception {
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
        try (var files = Files.list(file.getParent())) {
            assertThat(files.map(Path::toString)).noneMatch(other -> other.contains(".jobgate-"));
        }
    }

    /** It fails with a sentence that has the word, and says what to do about it. */
    public static void assertFails(TransferException.Kind kind, String word, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(TransferException.class, e -> {
            assertThat(e.sentence()).contains(word);
            assertThat(e.kind()).as(e.sentence()).isEqualTo(kind);
            assertThat(e.remedy()).isNotEmpty();
        });
    }
}
