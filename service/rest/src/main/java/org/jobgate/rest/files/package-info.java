/** The files of jobs over plain HTTP: read whole, in parts, or while they are written (docs/reference/files.md). */
@NullMarked
package org.jobgate.rest.files;

import org.jspecify.annotations.NullMarked;
