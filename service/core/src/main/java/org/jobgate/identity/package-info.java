/** Who a caller is, as proven by the credential that the caller presented. */
@NullMarked
package org.jobgate.identity;

import org.jspecify.annotations.NullMarked;
