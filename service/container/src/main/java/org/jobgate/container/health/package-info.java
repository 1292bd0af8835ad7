/** Whether the service is well. */
@NullMarked
package org.jobgate.container.health;

import org.jspecify.annotations.NullMarked;
