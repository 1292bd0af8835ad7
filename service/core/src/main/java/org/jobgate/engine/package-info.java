/** What happens to a job, one transition at a time, and the ports through which it happens. */
@NullMarked
package org.jobgate.engine;

import org.jspecify.annotations.NullMarked;
