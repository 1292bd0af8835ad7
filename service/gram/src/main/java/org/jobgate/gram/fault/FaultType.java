// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.fault;

/** GRAM4's fault types (facts/gram4.md section 3.10): what their element and type are called, and what they hold beyond the base. */
enum FaultType {
    PLAIN("fault", "FaultType", Extra.NONE),
    INTERNAL("internalFault", "InternalFaultType", Extra.NONE),
    INVALID_CREDENTIALS("invalidCredentialsFault", "InvalidCredentialsFaultType", Extra.NONE),
    SERVICE_LEVEL_AGREEMENT("serviceLevelAgreementFault", "ServiceLevelAgreementFaultType", Extra.ATTRIBUTE),
    EXECUTION_FAILED("executionFailedFault", "ExecutionFailedFaultType", Extra.ATTRIBUTE),
    FILE_PERMISSIONS("filePermissionsFault", "FilePermissionsFaultType", Extra.PATH),
    INVALID_PATH("invalidPathFault", "InvalidPathFaultType", Extra.PATH),
    STAGING("stagingFault", "StagingFaultType", Extra.TRANSFER),
    UNSUPPORTED_FEATURE("unsupportedFeatureFault", "UnsupportedFeatureFaultType", Extra.FEATURE),
    /** Exists in GT 4.2 only. */
    JOB_RESOURCE_EXPIRED("jobResourceExpiredFault", "JobResourceExpiredFaultType", Extra.NONE),
    /** Exists in GT 4.2 only. */
    STAGING_TERMINATE("stagingTerminateFault", "StagingTerminateFaultType", Extra.NONE);

    /** The children that a type adds. All but the first include {@code attribute}. */
    enum Extra {
        NONE,
        ATTRIBUTE,
        PATH,
        FEATURE,
        TRANSFER
    }

    private final String element;
    private final String type;
    private final Extra extra;

    FaultType(String element, String type, Extra extra) {
        this.element = element;
        this.type = type;
        this.extra = extra;
    }

    String element() {
        return element;
    }

    String type() {
        return type;
    }

    Extra extra() {
        return extra;
    }
}
