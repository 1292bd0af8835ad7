// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.function.Supplier;
import org.jobgate.lrm.LrmCapabilities;

/**
 * What a document is read against: where its job would run, and as whom.
 *
 * @param fileSystems of the account that the job runs as
 * @param capabilities of the LRM that the job is for, {@link LrmCapabilities#UNKNOWN} where nothing is known; what is not known refuses nobody
 * @param takesCredentials whether the caller can use the names and passwords that a document has for its files (GFD.135); where not,
 *     such a document is refused
 * @param notesProjects whether the projects of a document are only kept in the description; where not, its one project is the LRM's
 * @param group the primary group of the account, looked up where a document names one; absent where this host does not know it
 */
public record JsdlSite(
        FileSystems fileSystems,
        LrmCapabilities capabilities,
        boolean takesCredentials,
        boolean notesProjects,
        Supplier<Optional<String>> group) {

    public JsdlSite {
        requireNonNull(fileSystems, "fileSystems is null");
        requireNonNull(capabilities, "capabilities is null");
        requireNonNull(group, "group is null");
    }

    /** A site that does not know the groups of its accounts. */
    public JsdlSite(
            FileSystems fileSystems, LrmCapabilities capabilities, boolean takesCredentials, boolean notesProjects) {
        this(fileSystems, capabilities, takesCredentials, notesProjects, Optional::empty);
    }

    /** A site at which the project of a document is that of the LRM. */
    public JsdlSite(FileSystems fileSystems, LrmCapabilities capabilities, boolean takesCredentials) {
        this(fileSystems, capabilities, takesCredentials, false);
    }
}
