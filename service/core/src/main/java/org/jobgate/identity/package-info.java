/** Who somebody is, as proven by what he presented. */
@NullMarked
package org.jobgate.identity;

import org.jspecify.annotations.NullMarked;
