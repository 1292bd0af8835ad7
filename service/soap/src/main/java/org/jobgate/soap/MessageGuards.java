// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import java.util.Optional;

/** Which services have their messages protected. */
@FunctionalInterface
public interface MessageGuards {

    /** The transport alone protects them. */
    MessageGuards NONE = service -> Optional.empty();

    /** What guards the messages of the service of this name. */
    Optional<MessageGuard> of(String service);
}
