/** Figures, the conditions they were measured under, and how they are shown. */
@NullMarked
package org.jobgate.perf.report;

import org.jspecify.annotations.NullMarked;
