// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.waits;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Tests of all modules that have this one's test classes wait {@link #PATIENCE} for what they await and name no time for, in the place of
 * the 10 s of Awaitility. A machine that has much to do may stand still for seconds, and a condition that comes is seen at once all the
 * same. JUnit finds this class by {@code META-INF/services} and turns it on by {@code junit-platform.properties}.
 */
public final class PatientWaits implements BeforeAllCallback {

    /** For what a test waits for, however slow the machine is. */
    public static final Duration PATIENCE = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
