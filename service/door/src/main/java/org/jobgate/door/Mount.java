// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door;

import java.util.List;
import java.util.Set;

/**
 * One place at which a door answers. There are two kinds: a {@link ServletMount}, and {@code org.jobgate.soap.SoapMount} for doors whose
 * services speak SOAP and share a root.
 */
public interface Mount {

    /** The path that the mount is below, e.g. {@code /jobs}: it begins with a slash and does not end with one. */
    String root();

    /** The paths of which it answers all that is at them and below; {@link #root} or below it. */
    List<String> paths();

    /** What is found there, for a sentence that tells a client where to look; in the plural, e.g. {@code the files of jobs}. */
    String what();

    /** The HTTP methods that it serves. */
    List<String> methods();

    /** Whether bodies of requests of this method are passed on as they come, held by nobody: then the limit of bodies does not count, only their pace. */
    default boolean streams(String method) {
        return false;
    }

    /** The names of headers, in small letters, which are written so in answers: there are clients that know no other case. */
    default Set<String> smallLetters() {
        return Set.of();
    }
}
