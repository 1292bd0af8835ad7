/** Looks at an installation before trouble does: permissions, trust, accounts, programs. */
@NullMarked
package org.jobgate.container.doctor;

import org.jspecify.annotations.NullMarked;
