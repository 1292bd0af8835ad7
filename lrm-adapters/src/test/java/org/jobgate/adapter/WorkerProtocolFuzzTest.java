// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.adapter.WireValue.Fields;

/**
 * Whatever a worker writes is either understood or refused with an {@link IOException}; nothing else may come out of it. As an ordinary
 * test it runs the seeds beside it; fuzzing is switched on with {@code JAZZER_FUZZ=1}.
 */
class WorkerProtocolFuzzTest {

    @FuzzTest(maxDuration = "60s")
    void aStreamIsReadOrRefused(byte[] stream) {
        AtomicLong noise = new AtomicLong();
        FrameReader reader =
                new FrameReader(new ByteArrayInputStream(stream), "00ff", line -> noise.addAndGet(line.length()));
        try {
            byte[] payload;
            while ((payload = reader.next()) != null) {
                understand(Wire.decode(payload));
            }
        } catch (IOException refused) {
            return;
        }
        if (noise.get() > stream.length) {
            throw new AssertionError("more noise than was sent");
        }
    }

    @FuzzTest(maxDuration = "60s")
    void aValueIsReadOrRefused(byte[] encoded) {
        WireValue value;
        try {
            value = Wire.decode(encoded);
        } catch (WireException refused) {
            return;
        }
        understand(value);
    }

    @FuzzTest(maxDuration = "60s")
    void aTextComesBackAsItWas(byte[] text) throws IOException {
        byte[] frame = FrameReader.frame("00ff", Wire.encode(text));
        FrameReader reader = new FrameReader(new ByteArrayInputStream(frame), "00ff", line -> {});
        byte[] payload = reader.next();
        if (payload == null
                || !(Wire.decode(payload) instanceof WireValue.Bytes bytes)
                || !Arrays.equals(bytes.bytes(), text)) {
            throw new AssertionError("came back otherwise: " + new String(text, StandardCharsets.ISO_8859_1));
        }
    }

    /** What the dispatcher does with a frame. */
    private static void understand(WireValue value) {
        LrmMessages.submitResult("alice", value);
        LrmMessages.cancelResult("alice", value);
        if (value instanceof Fields fields) {
            LrmMessages.events("alice", fields.items("events"));
            LrmMessages.fault("alice", fields);
        }
    }
}
