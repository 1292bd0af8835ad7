// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import java.time.Instant;

/** A credential for moving files: a proxy or a token that the job's owner delegated, or a password that the job has for one file. */
public sealed interface TransferCredential permits TransferProxy, TransferToken, TransferPassword {

    /** The same as long as it is the same; changes when it is renewed. To find connections again that were opened with it. */
    String id();

    /** When it expires. */
    Instant until();
}
