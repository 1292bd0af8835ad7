// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.query;

import org.jobgate.soap.SoapFaultException;

/** How the refusals of WS-ResourceProperties are said about a query. */
public interface QueryFaults {

    /** The expression cannot be read, or there is none. */
    SoapFaultException invalidQuery(String sentence);

    SoapFaultException queryDialectUnknown(String sentence);

    /** It can be read but not answered, or would cost too much. */
    SoapFaultException queryFailed(String sentence);
}
