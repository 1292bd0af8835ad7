// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** What is kept on a database server, as one file of a backup. */
public interface ServerCopy {

    /**
     * Makes the copy, of one moment, while others write.
     *
     * @param target must not be there yet; it is made for its owner alone
     * @throws IOException if it cannot be made
     */
    void make(Path target) throws IOException;

    /**
     * Puts a copy into the place of what is there, which is kept elsewhere on the server.
     *
     * @param now names that place
     * @return what was done, in lines for people
     * @throws IOException if that cannot be done; doing it again begins anew
     */
    List<String> restore(Path copy, Instant now) throws IOException;
}
