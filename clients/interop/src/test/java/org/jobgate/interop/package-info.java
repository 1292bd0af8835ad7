/** Clients that others wrote, against the running gateway. They know of it what its WSDL and its documentation say. */
@NullMarked
package org.jobgate.interop;

import org.jspecify.annotations.NullMarked;
