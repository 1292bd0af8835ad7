// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.console;

import java.util.List;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.door.ServletMount;

/** The door to the console: it serves files that everybody may read, and reaches no job; what they show, the browser asks the REST door for. */
public final class ConsoleDoor implements FrontDoor {

    private final List<Mount> mounts =
            List.of(new ServletMount("/console", "the console", new ConsoleServlet(), List.of("GET", "HEAD")));

    @Override
    public String name() {
        return DoorAddresses.CONSOLE;
    }

    @Override
    public List<Mount> mounts() {
        return mounts;
    }
}
