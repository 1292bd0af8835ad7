// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The name of a job in GRAM's audit table: the address of the service, a question mark, and the SHA-1 of the resource's id in Base64
 * without {@code =} (Globus Toolkit 4.0.5, audit logging). The hash only makes a name of 27 characters; nothing depends on its strength.
 */
final class GridJobId {

    private GridJobId() {}

    /**
     * The name of a job.
     *
     * @param service the address of the job services, without a query
     * @param id the id of the job without {@code uuid:}
     */
    static String of(String service, String id) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(id.getBytes(StandardCharsets.UTF_8));
            return service + "?" + Base64.getEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
