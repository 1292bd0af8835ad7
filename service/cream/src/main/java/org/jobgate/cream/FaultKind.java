// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

/** The typed faults of CREAM2, with the codes that its service gives them. */
enum FaultKind {
    AUTHORIZATION("AuthorizationFault", "0"),
    INVALID_ARGUMENT("InvalidArgumentFault", "0"),
    GENERIC("GenericFault", "0"),
    SUBMISSION_DISABLED("JobSubmissionDisabledFault", "0"),
    DELEGATION_PROXY("DelegationProxyFault", "4"),
    JOB_UNKNOWN("JobUnknownFault", "1"),
    STATUS_INVALID("JobStatusInvalidFault", "2"),
    DATE_MISMATCH("DateMismatchFault", "3"),
    DELEGATION_MISMATCH("DelegationIdMismatchFault", "3"),
    LEASE_MISMATCH("LeaseIdMismatchFault", "3");

    private final String element;
    private final String code;

    FaultKind(String element, String code) {
        this.element = element;
        this.code = code;
    }

    String element() {
        return element;
    }

    String code() {
        return code;
    }
}
