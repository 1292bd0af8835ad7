/** The one HTTPS connector, and what stands between it and the front doors. */
@NullMarked
package org.jobgate.container.http;

import org.jspecify.annotations.NullMarked;
