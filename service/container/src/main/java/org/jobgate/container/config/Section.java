// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says what a section of the configuration is about; it stands on the section's record. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Section {

    /** One sentence for the reference page. */
    String value();

    /** For a list of sections: whether there are none by default, instead of one with all its defaults. */
    boolean optional() default false;

    /** For a map of sections: the keys that there may be, each of which has a section, with its defaults where the file says nothing of it. */
    String[] keys() default {};
}
