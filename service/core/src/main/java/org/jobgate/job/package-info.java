/** The job as a value: who owns it, what it asks for, where it is in its life, how it ended. */
@NullMarked
package org.jobgate.job;

import org.jspecify.annotations.NullMarked;
