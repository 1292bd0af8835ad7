// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.util.Optional;

/** Where the sandboxes of jobs can be, as the site has it. */
public interface SandboxPlaces {

    /** The home directory of a local account, below which the sandboxes of its jobs are; empty where there is no such account. */
    Optional<String> home(String account);

    /**
     * The URL by which clients reach a directory of this machine through a file server of the site, without a slash at the end.
     *
     * @param lrm whose job it is
     * @param directory absolute, without a slash at the end
     * @return empty where no server has it
     */
    Optional<String> fileServer(String lrm, String directory);
}
