// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

/** What every front door is ({@link org.jobgate.door.FrontDoor}), and what it is given ({@link org.jobgate.door.DoorContext}). */
@NullMarked
package org.jobgate.door;

import org.jspecify.annotations.NullMarked;
