// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.docker;

import java.nio.file.Files;
import java.nio.file.Path;
import org.testcontainers.images.builder.ImageFromDockerfile;

/** What the images are built from. */
final class Checkout {
    private Checkout() {}

    /** The top of the checkout. */
    static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docker/compose.yaml"))) {
            at = at.getParent();
            if (at == null) {
                throw new IllegalStateException("no docker/compose.yaml in any directory above "
                        + Path.of("").toAbsolutePath());
            }
        }
        return at;
    }

    /** The image of a batch system, built only as far as it has changed. */
    static ImageFromDockerfile labImage(String system) {
        return new ImageFromDockerfile("jobgate-lab-" + system, false)
                .withFileFromPath("Dockerfile", root().resolve("docker/lab.Dockerfile"))
                .withFileFromPath("docker/lab", root().resolve("docker/lab"))
                .withFileFromPath("lrm-adapters/src/main/perl", root().resolve("lrm-adapters/src/main/perl"))
                .withBuildArg("SYSTEM", system);
    }
}
