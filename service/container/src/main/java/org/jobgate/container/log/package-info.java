/** Where the log goes. */
@NullMarked
package org.jobgate.container.log;

import org.jspecify.annotations.NullMarked;
