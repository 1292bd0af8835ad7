/** Who a caller is, by the certificates of the connection. */
@NullMarked
package org.jobgate.container.tls;

import org.jspecify.annotations.NullMarked;
