// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * For whom and how one attempt is made.
 *
 * @param id of the transfer, the same in all its attempts: letters, digits and hyphens, at most 128. For the names of what is unfinished
 * @param account the local account whose rights local files are used with
 * @param credential absent where none was delegated
 * @param options RFT's options of the transfer by name ({@code parallelStreams}, {@code dcau} and so on; facts/gram4.md section 6.2),
 *     already checked for form
 * @param isProgram whether the file is to be run: a local file is made executable then
 * @param idleTimeout how long any one step (connecting, an answer, the next bytes) may take
 * @param marker where to go on, as {@link Progress#mark} was told; absent at the beginning
 */
public record TransferContext(
        String id,
        String account,
        @Nullable TransferCredential credential,
        Map<String, String> options,
        boolean isProgram,
        Duration idleTimeout,
        @Nullable String marker,
        Progress progress) {

    public TransferContext {
        requireNonNull(id, "id is null");
        requireNonNull(account, "account is null");
        requireNonNull(idleTimeout, "idleTimeout is null");
        requireNonNull(progress, "progress is null");
        options = Map.copyOf(options);
    }

    /** The same attempt with another marker and another listener. */
    public TransferContext with(@Nullable String otherMarker, Progress otherProgress) {
        return new TransferContext(
                id, account, credential, options, isProgram, idleTimeout, otherMarker, otherProgress);
    }

    /** The same attempt as it looks from one end: that end's server is named by {@link End#SUBJECT} alone. */
    public TransferContext at(End end) {
        String subject = end.options().stream()
                .map(options::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        Map<String, String> own = new HashMap<>(options);
        for (End each : End.values()) {
            own.remove(each.option());
        }
        if (subject != null) {
            own.put(End.SUBJECT, subject);
        }
        return new TransferContext(id, account, credential, own, isProgram, idleTimeout, marker, progress);
    }

    public Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    /** The number that an option says; what was not said is the default. */
    public int number(String name, int byDefault) {
        return option(name).map(Integer::parseInt).orElse(byDefault);
    }
}
