/** Decision points that ask somebody outside of the gateway. */
@NullMarked
package org.jobgate.container.authz;

import org.jspecify.annotations.NullMarked;
