/** The gateway as a client sees it: HTTP/1.1 over mutual TLS, and GRAM4 messages. */
@NullMarked
package org.jobgate.perf.wire;

import org.jspecify.annotations.NullMarked;
