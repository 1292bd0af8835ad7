// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import java.io.IOException;

/** Python with zeep, in an environment of its own. */
final class Zeep {

    private Zeep() {}

    /** The interpreter of that environment. */
    static synchronized String python(Programs programs) throws IOException, InterruptedException {
        return PythonEnvironment.with(programs, "src/test/python/requirements.txt", "target/zeep");
    }
}
