// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;

/** One operation of a service. */
@FunctionalInterface
interface Operation {

    Reply answer(SoapCall call);
}
