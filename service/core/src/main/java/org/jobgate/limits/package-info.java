/** Every bound of the service, by name, and the refusal that says so. */
@NullMarked
package org.jobgate.limits;

import org.jspecify.annotations.NullMarked;
