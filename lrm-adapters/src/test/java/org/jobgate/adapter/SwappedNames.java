// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicBoolean;

/** A name ("now") that is a directory ("real") and a link to elsewhere in turn. */
final class SwappedNames {

    private SwappedNames() {}

    /** Where a writer has made a directory of that name meanwhile, it goes aside. */
    private static void moveInto(Path now, Path from, Path race) throws IOException {
        for (int i = 0; ; i++) {
            try {
                Files.move(from, now, StandardCopyOption.ATOMIC_MOVE);
                return;
            } catch (FileSystemException e) {
                if (i > 1000) {
                    throw e;
                }
                if (Files.isDirectory(now, LinkOption.NOFOLLOW_LINKS)) {
                    Files.move(now, race.resolve("made-" + System.nanoTime()), StandardCopyOption.ATOMIC_MOVE);
                }
            }
        }
    }

    static void swap(Path race, Path elsewhere, AtomicBoolean goesOn) {
        Path now = race.resolve("now");
        Path real = race.resolve("real");
        Path link = race.resolve("link");
        try {
            Files.createSymbolicLink(link, elsewhere);
            while (goesOn.get()) {
                moveInto(now, real, race);
                Files.move(now, real, StandardCopyOption.ATOMIC_MOVE);
                moveInto(now, link, race);
                Files.move(now, link, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
