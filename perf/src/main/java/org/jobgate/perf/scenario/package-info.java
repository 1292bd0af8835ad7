/** What is measured: one class per scenario. */
@NullMarked
package org.jobgate.perf.scenario;

import org.jspecify.annotations.NullMarked;
