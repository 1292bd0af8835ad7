// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.jobgate.access.Caller;
import org.jobgate.authz.Decision;
import org.jspecify.annotations.Nullable;

/**
 * One request: who asks, and for what.
 *
 * @param delegated the id of the credential that was delegated on the connection of the request; absent where there is none
 */
record Call(Caller caller, Ask ask, @Nullable String delegated) {

    Call {
        requireNonNull(caller, "caller is null");
        requireNonNull(ask, "ask is null");
    }

    /**
     * The local account as which the caller uses files.
     *
     * @throws org.jobgate.job.FaultException where the caller may not
     */
    String account() {
        return caller.filesAccount(Optional.empty());
    }

    /**
     * The caller's name, by which requests are known. A caller who may not use files any more may not use requests for files either.
     *
     * @throws org.jobgate.job.FaultException where the caller may not
     */
    String owner() {
        account();
        return caller.subject();
    }

    /**
     * Sees that the caller is still mapped to the account as which a request was made, before something is done as that.
     *
     * @throws SrmException of SRM_AUTHORIZATION_FAILURE
     */
    void requireFilesOf(StoredRequest request) {
        if (!(caller.filesOf(request.account()) instanceof Decision.Permit)) {
            throw new SrmException(
                    Code.SRM_AUTHORIZATION_FAILURE,
                    "The request was made as the account " + request.account()
                            + ", to which you are not mapped any more. Make another request.");
        }
    }
}
