// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

/** What is behind one address. */
public interface SoapService {

    /** The last part of its address, e.g. {@code ManagedJobFactoryService}. */
    String name();

    /**
     * Answers one request.
     *
     * @throws SoapFaultException to answer a fault
     */
    Reply answer(SoapCall call);
}
