/** Local resource managers: drives the Perl workers that talk to them. See docs/internals/worker-protocol.md. */
@NullMarked
package org.jobgate.adapter;

import org.jspecify.annotations.NullMarked;
