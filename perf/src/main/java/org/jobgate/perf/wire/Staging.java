// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of a job, and the credential they are moved with.
 *
 * @param credential the key of a delegated credential; absent where the URLs need none
 * @param in copied before the job
 * @param out copied after it
 * @param cleanUp URLs of files and directories that are deleted at the end
 */
public record Staging(@Nullable String credential, List<Copy> in, List<Copy> out, List<String> cleanUp) {

    public Staging {
        in = List.copyOf(in);
        out = List.copyOf(out);
        cleanUp = List.copyOf(cleanUp);
    }

    /** One file, as URLs. */
    public record Copy(String from, String to) {
        public Copy {
            requireNonNull(from, "from is null");
            requireNonNull(to, "to is null");
        }
    }
}
