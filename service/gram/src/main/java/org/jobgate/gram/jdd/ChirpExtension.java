// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.job.ChirpAccess;
import org.jobgate.job.Extension;

/**
 * The extension by which a job asks for directories of a Chirp server, which is ours: {@code <chirp server="NAME"><read>/in</read>
 * <write>/out</write></chirp>}, with any number of both; {@code server} may be left out.
 */
final class ChirpExtension {

    static final String NAME = "chirp";

    private static final String SERVER = "server";
    private static final String READ = "read";
    private static final String WRITE = "write";

    private ChirpExtension() {}

    static ChirpAccess read(Extension extension) {
        List<String> read = new ArrayList<>();
        List<String> write = new ArrayList<>();
        for (Extension child : extension.children()) {
            switch (child.name()) {
                case READ -> read.add(child.text().strip());
                case WRITE -> write.add(child.text().strip());
                default -> throw JddFaults.invalid(NAME, child.name(), "it has elements read and write only");
            }
        }
        try {
            return new ChirpAccess(extension.attributes().get(SERVER), read, write);
        } catch (IllegalArgumentException e) {
            throw JddFaults.invalid(NAME, extension.text().strip(), String.valueOf(e.getMessage()));
        }
    }

    static Extension written(ChirpAccess chirp) {
        List<Extension> children = new ArrayList<>();
        chirp.read().forEach(path -> children.add(new Extension(READ, Map.of(), path, List.of())));
        chirp.write().forEach(path -> children.add(new Extension(WRITE, Map.of(), path, List.of())));
        Map<String, String> attributes = chirp.server() == null ? Map.of() : Map.of(SERVER, chirp.server());
        return new Extension(NAME, attributes, "", children);
    }
}
