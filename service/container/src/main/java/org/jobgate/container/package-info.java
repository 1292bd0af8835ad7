/** The one process that hosts everything: its start, its wiring, its end. */
@NullMarked
package org.jobgate.container;

import org.jspecify.annotations.NullMarked;
