/** The administrator's endpoint on a Unix domain socket. */
@NullMarked
package org.jobgate.container.admin;

import org.jspecify.annotations.NullMarked;
