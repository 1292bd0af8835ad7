/** A gateway of the harness's own: its certificates, its files, its process. */
@NullMarked
package org.jobgate.perf.gateway;

import org.jspecify.annotations.NullMarked;
