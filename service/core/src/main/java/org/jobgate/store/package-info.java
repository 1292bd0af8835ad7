/** The durable record of jobs and the ordered stream of their changes. */
@NullMarked
package org.jobgate.store;

import org.jspecify.annotations.NullMarked;
