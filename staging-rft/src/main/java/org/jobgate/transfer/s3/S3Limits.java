// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.s3;

/**
 * How large what may be; Amazon's own limits are the defaults.
 *
 * @param put the largest object that is sent with one request
 * @param part the size of a part of a larger one, unless it would need too many
 * @param buffer the size of a part of an object whose size is not known: so much memory a transfer takes
 * @param parts of one object, at most
 */
record S3Limits(long put, long part, int buffer, int parts) {

    static final S3Limits DEFAULTS = new S3Limits(5L << 30, 512L << 20, 8 << 20, 10_000);

    /** The size of the parts of an object of this size. */
    long partOf(long size) {
        return Math.max(part, (size + parts - 1) / parts);
    }
}
