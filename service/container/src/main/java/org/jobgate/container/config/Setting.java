// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes one setting; it stands on the component of a section's record, whose name and type are the setting's.
 *
 * <p>A component that is {@code @Nullable} may be absent; any other without a default must be given.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {

    /** One or two sentences for the reference page. */
    String description();

    /** As it would be written in the file; empty means there is none. A list's parts are separated by commas. */
    String byDefault() default "";

    Tier tier() default Tier.COMMON;

    /** The least value, as it would be written in the file; empty means no bound. */
    String min() default "";

    /** The greatest value, as it would be written in the file; empty means no bound. */
    String max() default "";
}
