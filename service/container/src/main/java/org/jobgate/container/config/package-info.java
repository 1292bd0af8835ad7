/** What a site can set: every name, its type, its default and its rule. */
@NullMarked
package org.jobgate.container.config;

import org.jspecify.annotations.NullMarked;
