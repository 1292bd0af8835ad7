/** What happens to a job, one transition at a time. */
@NullMarked
package org.jobgate.engine;

import org.jspecify.annotations.NullMarked;
