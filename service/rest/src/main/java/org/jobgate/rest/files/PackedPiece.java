// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jobgate.limits.Limit;
import org.jobgate.limits.Places;
import org.jobgate.packing.Codec;
import org.jobgate.packing.CodecLevel;
import org.jobgate.packing.Packing;

/**
 * A part of a file that is packed on its way, where the client asks for it or says so: {@code Jobgate-Encoding: zstd} or another
 * {@link Codec}. Ranges and sizes speak of the bytes of the file. It is not HTTP's own content coding, a range of which would be one of the
 * packed bytes (RFC 9110 section 14.1.2).
 */
public final class PackedPiece {

    /** The header of requests and answers. */
    public static final String HEADER = "Jobgate-Encoding";

    private static final Limit HEAVY = new Limit("requests with bzip2 or zstd:4 to zstd:9", 4);
    private static final Limit HEAVY_OF_ONE = new Limit("requests with bzip2 or zstd:4 to zstd:9 of one account", 2);

    /** Of the requests whose codec needs megabytes of memory: both doors of files are of one process. */
    private static final Places HEAVY_PLACES = new Places(HEAVY, HEAVY_OF_ONE);

    private static final Places.Place NO_PLACE = () -> {};

    private PackedPiece() {}

    /**
     * What the answer is to be packed with: the first of the header's words that is known here. Empty where none is: then it is sent as it is,
     * which its headers tell.
     */
    public static Optional<CodecLevel> wanted(HttpServletRequest request) {
        return words(request).stream()
                .flatMap(word -> CodecLevel.parse(word).stream())
                .filter(known -> known.codec().isThere())
                .findFirst();
    }

    /** What the body is packed with; refused where that is not known here. */
    public static Optional<Codec> ofBody(HttpServletRequest request) throws FileRefusal {
        List<String> words = words(request);
        Optional<Codec> known = words.size() == 1
                ? CodecLevel.parse(words.getFirst()).map(CodecLevel::codec).filter(Codec::isThere)
                : Optional.empty();
        if (!words.isEmpty() && known.isEmpty()) {
            throw FileRefusal.badRequest(
                    HEADER + " is " + request.getHeader(HEADER) + "; known here: " + Codec.words() + ".");
        }
        return known;
    }

    private static List<String> words(HttpServletRequest request) {
        String header = request.getHeader(HEADER);
        return header == null ? List.of() : Arrays.asList(header.split(",", -1));
    }

    /**
     * What an answer is packed with, and its place among those that need much memory; to be closed after the answer.
     *
     * @param coding what was asked for, or its highest level that needs no place
     * @param nanoTime how long the client is waited for while it has a place ({@link ClientPace}) is measured with this
     */
    public record Packer(CodecLevel coding, Places.Place place, LongSupplier nanoTime) implements AutoCloseable {

        /** For what is written to the answer; ends with an exception where a client with a place is too slow. */
        public Packing to(OutputStream out) throws IOException {
            OutputStream paced = place == NO_PLACE ? out : new ClientPace(nanoTime).to(out);
            return coding.codec().packing(paced, coding.level());
        }

        @Override
        public void close() {
            place.close();
        }
    }

    /**
     * What an answer is to be packed with. A client chooses the level, and reads as slowly as it likes: a level that needs much memory is only used
     * while there is a place, and else the codec's highest that does not.
     *
     * @param account whose file it is: each door names the same, so that nobody has twice as many by asking at both
     * @return empty where all places are taken and the codec has no such level: the answer is sent as it is then
     */
    public static Optional<Packer> packer(CodecLevel wanted, String account) {
        return packer(wanted, account, System::nanoTime);
    }

    static Optional<Packer> packer(CodecLevel wanted, String account, LongSupplier nanoTime) {
        if (wanted.isHeavy()) {
            Places.Place place = HEAVY_PLACES.enter(account).place();
            if (place != null) {
                return Optional.of(new Packer(wanted, place, nanoTime));
            }
        }
        return wanted.light().map(light -> new Packer(light, NO_PLACE, nanoTime));
    }

    /**
     * What is in a body, as {@link Codec#unpacking} gives it; ends with an exception where its client is too slow and has a place
     * ({@link #placeForBody}).
     */
    public static InputStream unpacking(Codec codec, InputStream body, long length) throws IOException {
        InputStream paced = codec.isHeavyToUnpack() ? new ClientPace(System::nanoTime).from(body) : body;
        return codec.unpacking(paced, length);
    }

    /**
     * A place for what unpacks a body, which comes as it comes; to be closed after it.
     *
     * @param account whose file it is, as for {@link #packer}
     */
    public static Places.Place placeForBody(Codec codec, String account) throws FileRefusal {
        if (!codec.isHeavyToUnpack()) {
            return NO_PLACE;
        }
        Places.Entry entry = HEAVY_PLACES.enter(account);
        Places.Place place = entry.place();
        Places.Full full = entry.full();
        if (place == null) {
            Limit limit = full == null ? HEAVY : full.limit();
            throw FileRefusal.busy("No more bodies can be unpacked with " + codec.word() + " now; the limit is "
                    + limit.name() + " = " + limit.value() + ".");
        }
        return place;
    }
}
