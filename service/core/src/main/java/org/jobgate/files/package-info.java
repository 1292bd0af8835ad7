/** Files of jobs, and those in trees that the site exports, as the local accounts that they belong to. */
@NullMarked
package org.jobgate.files;

import org.jspecify.annotations.NullMarked;
