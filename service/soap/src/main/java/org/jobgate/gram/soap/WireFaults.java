// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.soap;

import org.jobgate.gram.wsrf.Generation;
import org.jobgate.job.Fault;

/** How a refusal is said on the wire. */
@FunctionalInterface
public interface WireFaults {

    SoapFaultException of(Generation generation, Fault fault);
}
