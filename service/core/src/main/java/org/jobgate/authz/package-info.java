/** Who may do what, and as which local account. */
@NullMarked
package org.jobgate.authz;

import org.jspecify.annotations.NullMarked;
