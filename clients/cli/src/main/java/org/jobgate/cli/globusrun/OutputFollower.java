// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.Outage;
import org.jobgate.cli.text.Sentence;

/**
 * Copies one stream of a job from its beginning to its end: nothing twice and nothing left out, whatever happens to connections, for a
 * piece is written only when it has come whole, and then the next is asked for. Silence of two minutes ends it.
 */
public final class OutputFollower {
    private static final Duration OUTAGE_MAX = Duration.ofMinutes(2);
    /** Bytes asked for at once: what a break of the connection costs at most. */
    private static final int PIECE_BYTES_MAX = 1024 * 1024;

    private static final int PIECE_BYTES_MIN = 8 * 1024;
    private static final long PAUSE_MS_MIN = 100;
    private static final long PAUSE_MS_MAX = 3_000;

    private final OutputAccess access;
    private final String stream;
    private final OutputStream to;
    private final Console console;
    private final Duration wait;
    private final BooleanSupplier isGivenUp;
    private int pieceBytes = PIECE_BYTES_MAX;
    private long offset;
    private String file = "";

    /** How it came to its end; of the last two nothing was said yet, and nothing was shown. */
    public enum End {
        WHOLE,
        FAILED,
        MISSING,
        NO_ACCESS
    }

    /**
     * One that has not begun.
     *
     * @param wait how long a question may wait; less than the timeout of the connection. Zero: what is there now is all that is wanted
     * @param isGivenUp whether nobody wants the rest: the job is cancelled
     */
    public OutputFollower(
            OutputAccess access,
            String stream,
            OutputStream to,
            Console console,
            Duration wait,
            BooleanSupplier isGivenUp) {
        this.access = requireNonNull(access, "access is null");
        this.stream = requireNonNull(stream, "stream is null");
        this.to = requireNonNull(to, "to is null");
        this.console = requireNonNull(console, "console is null");
        this.wait = requireNonNull(wait, "wait is null");
        this.isGivenUp = requireNonNull(isGivenUp, "isGivenUp is null");
    }

    /** Returns at the end of the stream. What failed was said. */
    public End follow() throws InterruptedException {
        Outage outage = new Outage(console, OUTAGE_MAX);
        long pauseMs = PAUSE_MS_MIN;
        while (!isGivenUp.getAsBoolean()) {
            OutputAccess.Answer answer;
            try {
                answer = access.read(offset, pieceBytes, file, wait);
            } catch (IOException e) {
                // where connections break early, only small pieces come whole
                pieceBytes = Math.max(PIECE_BYTES_MIN, pieceBytes / 2);
                try {
                    outage.failed(e);
                } catch (IOException last) {
                    return failed(Sentence.of(last.getMessage()) + " From byte " + offset + " on it was not shown.");
                }
                Thread.sleep(pauseMs);
                pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2);
                continue;
            }
            if (isGivenUp.getAsBoolean()) {
                return End.FAILED;
            }
            if (answer instanceof OutputAccess.Busy busy && !busy.isLimit()) {
                try {
                    outage.failed(new IOException(busy.sentence()));
                } catch (IOException last) {
                    return failed(Sentence.of(last.getMessage()));
                }
            } else {
                outage.over();
                pauseMs = PAUSE_MS_MIN;
            }
            switch (answer) {
                case OutputAccess.Piece piece -> {
                    if (!write(piece)) {
                        return End.FAILED;
                    }
                    if (piece.isComplete() || (wait.isZero() && piece.bytes().length == 0)) {
                        return End.WHOLE;
                    }
                }
                case OutputAccess.Changed changed -> restart(changed);
                case OutputAccess.Busy busy -> Thread.sleep(busy.pause().toMillis());
                case OutputAccess.Refused refused -> {
                    return switch (refused.why()) {
                        case MISSING -> End.MISSING;
                        case NO_ACCESS -> End.NO_ACCESS;
                        case OTHER -> failed(refused.sentence());
                    };
                }
            }
        }
        return End.FAILED;
    }

    private boolean write(OutputAccess.Piece piece) {
        if (!piece.file().isEmpty()) {
            file = piece.file();
        }
        try {
            to.write(piece.bytes());
            to.flush();
            // a PrintStream keeps its failures to itself
            if (to instanceof PrintStream print && print.checkError()) {
                failed("it cannot be written here.");
                return false;
            }
        } catch (IOException e) {
            failed("it cannot be written here: " + e.getMessage());
            return false;
        }
        offset += piece.bytes().length;
        pieceBytes = Math.min(PIECE_BYTES_MAX, pieceBytes * 2);
        return true;
    }

    /** The job, or somebody else, began the file anew: what is in it now is new. */
    private void restart(OutputAccess.Changed changed) throws InterruptedException {
        console.error("The job's " + stream + " was cut or replaced after " + offset + " bytes of it were shown ("
                + changed.sentence() + "). What follows is from its new beginning.");
        offset = 0;
        file = "";
        Thread.sleep(PAUSE_MS_MIN);
    }

    private End failed(String why) {
        console.error("The job's " + stream + " cannot be shown: " + why);
        return End.FAILED;
    }
}
