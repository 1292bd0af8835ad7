/** The one place that measures the store's port directly, without the wire. */
@NullMarked
package org.jobgate.perf.port;

import org.jspecify.annotations.NullMarked;
