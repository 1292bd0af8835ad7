/** The harness that measures Jobgate over the wire. */
@NullMarked
package org.jobgate.perf;

import org.jspecify.annotations.NullMarked;
