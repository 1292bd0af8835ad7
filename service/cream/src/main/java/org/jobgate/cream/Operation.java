// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.util.Arrays;
import java.util.Optional;

/** The operations of CREAM2, by the elements that ask for them. */
enum Operation {
    SERVICE_INFO("getServiceInfo", "ServiceInfoRequest", "ServiceInfo"),
    ACCEPT("acceptNewJobSubmissions", "acceptNewJobSubmissions", "AcceptNewJobSubmissions"),
    REGISTER("JobRegister", "JobRegisterRequest", "JobRegister"),
    START("JobStart", "JobStartRequest", "JobStart"),
    CANCEL("JobCancel", "JobCancelRequest", "JobCancel"),
    PURGE("JobPurge", "JobPurgeRequest", "JobPurge"),
    SUSPEND("JobSuspend", "JobSuspendRequest", "JobSuspend"),
    RESUME("JobResume", "JobResumeRequest", "JobResume"),
    INFO("JobInfo", "JobInfoRequest", "JobInfo"),
    STATUS("JobStatus", "JobStatusRequest", "JobStatus"),
    LIST("JobList", "JobListRequest", "JobList"),
    QUERY_EVENT("QueryEvent", "QueryEventRequest", "QueryEvent"),
    SET_LEASE("setLease", "setLeaseRequest", "setLease"),
    GET_LEASE("getLease", "getLeaseRequest", "getLease"),
    LEASE_LIST("getLeaseList", "getLeaseListRequest", "getLeaseList"),
    DELETE_LEASE("deleteLease", "deleteLeaseRequest", "deleteLease"),
    SET_LEASE_ID("JobSetLeaseId", "JobSetLeaseIdRequest", "JobSetLeaseId");

    private final String word;
    private final String element;
    private final String action;

    Operation(String word, String element, String action) {
        this.word = word;
        this.element = element;
        this.action = action;
    }

    /** Its name in the WSDL. */
    String word() {
        return word;
    }

    String element() {
        return element;
    }

    static Optional<Operation> ofElement(String element) {
        return Arrays.stream(values())
                .filter(operation -> operation.element.equals(element))
                .findFirst();
    }

    /** By the header SOAPAction: only JobList and getLeaseList have requests with an empty Body. */
    static Optional<Operation> ofAction(String action) {
        return Arrays.stream(values())
                .filter(operation -> operation == LIST || operation == LEASE_LIST)
                .filter(operation -> action.equals(CreamNames.CREAM + "/" + operation.action))
                .findFirst();
    }

    /** The name of the operation that the element asks for; of another element, that. */
    static String named(String element) {
        return ofElement(element).map(Operation::word).orElse(CreamNames.shown(element));
    }
}
