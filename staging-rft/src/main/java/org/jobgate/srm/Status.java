// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * What came of a request, or of one of its files.
 *
 * @param explanation for people; absent where the code says all
 */
record Status(Code code, @Nullable String explanation) {

    static final Status SUCCESS = new Status(Code.SRM_SUCCESS, null);

    private static final QName STATUS_CODE = new QName("statusCode");
    private static final QName EXPLANATION = new QName("explanation");

    Status {
        requireNonNull(code, "code is null");
    }

    /** The status of a fault of the core. */
    static Status of(Fault fault, boolean isAnonymous) {
        Code code = switch (fault.code()) {
            case NOT_AUTHORIZED -> isAnonymous ? Code.SRM_AUTHENTICATION_FAILURE : Code.SRM_AUTHORIZATION_FAILURE;
            case CREDENTIAL_UNUSABLE -> Code.SRM_AUTHENTICATION_FAILURE;
            case UNSUPPORTED_FEATURE -> Code.SRM_NOT_SUPPORTED;
            case LIMIT_EXCEEDED, INVALID_DESCRIPTION -> Code.SRM_INVALID_REQUEST;
            default -> fault.code() == FaultCode.INTERNAL ? Code.SRM_FAILURE : Code.SRM_INTERNAL_ERROR;
        };
        return new Status(code, (fault.sentence() + " " + fault.remedy()).strip());
    }

    /**
     * What a request's own status is, given those of its parts.
     *
     * @param good the codes of parts that are well
     */
    static Status overall(Collection<Status> parts, Set<Code> good, String what) {
        long well = parts.stream().filter(part -> good.contains(part.code())).count();
        if (well == parts.size()) {
            return SUCCESS;
        }
        String explanation = well + " of " + parts.size() + " " + what + " succeeded; the status of each says why.";
        return new Status(well == 0 ? Code.SRM_FAILURE : Code.SRM_PARTIAL_SUCCESS, explanation);
    }

    /** Writes an element that is a TReturnStatus. */
    void write(XmlWriter out, QName name) {
        out.open(name).element(STATUS_CODE, code.name());
        if (explanation != null) {
            out.element(EXPLANATION, explanation);
        }
        out.close();
    }
}
