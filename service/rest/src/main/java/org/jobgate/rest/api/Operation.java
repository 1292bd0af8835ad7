// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.io.IOException;

/** What the API does for one method of one path. */
@FunctionalInterface
interface Operation {

    /**
     * Does it, and writes the answer.
     *
     * @throws Problem that is written in its place
     */
    void answer(ApiCall call) throws IOException, Problem;
}
