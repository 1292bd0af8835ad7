/** What can be measured. */
@NullMarked
package org.jobgate.container.metrics;

import org.jspecify.annotations.NullMarked;
