// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door;

import java.util.Optional;

/** Where the other doors of this gateway are, for protocols that tell their clients so. */
@FunctionalInterface
public interface DoorAddresses {

    /** The door of the job services of GT4. */
    String GRAM = "gram";

    /** The door of GT4's delegation services. */
    String DELEGATION = "delegation";

    /** The door of gridsite's delegation service. */
    String GRIDSITE = "gridsite";

    /** The door of GT4's file transfer services. */
    String RFT = "rft";

    /** The door of the storage resource manager. */
    String SRM = "srm";

    /** The door of the console. */
    String CONSOLE = "console";

    /** The door of the REST API. */
    String REST = "rest";

    /** The door of OGSA-BES. */
    String BES = "bes";

    /** The door of ARC's REST interface. */
    String ARC = "arc";

    /** The door to the files of jobs. */
    String FILES = "files";

    /** The door of CREAM2. */
    String CREAM = "cream";

    /**
     * Scheme, name and port by which clients reach the door of this name, without a path.
     *
     * @return empty where there is no such door, or it is turned off
     */
    Optional<String> url(String door);
}
