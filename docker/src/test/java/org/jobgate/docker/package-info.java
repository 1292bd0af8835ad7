/** Tries the images of the folder docker with a real engine. */
@NullMarked
package org.jobgate.docker;

import org.jspecify.annotations.NullMarked;
