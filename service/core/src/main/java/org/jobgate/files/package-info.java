/** Files of jobs, as the local accounts that they belong to. */
@NullMarked
package org.jobgate.files;

import org.jspecify.annotations.NullMarked;
