// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;

/**
 * Job descriptions as JSON, and a digest by which two of them are the same.
 *
 * <p>The JSON is canonical: parts in a fixed order, maps sorted, absent and empty parts left out. A part that a later version adds does
 * not change the digest of a description without it.
 */
public final class JobDescriptionCodec {

    /**
     * A description as it is stored.
     *
     * @param json its canonical text
     * @param digest SHA-256 of the text without its credentials in UTF-8, in hexadecimal
     */
    public record Encoded(String json, String digest) {}

    /** Only ever copied: to look for the algorithm takes longer than to digest a description. */
    private static final MessageDigest SHA256 = newSha256();

    private final StoreJson json = new StoreJson();

    /**
     * Writes the description.
     *
     * @throws FaultException of code {@code INVALID_DESCRIPTION} where a text is no valid Unicode
     */
    public Encoded encode(JobDescription description) {
        String text = json.write(description);
        if (Values.isUnstorable(text)) {
            throw new FaultException(Fault.of(
                    FaultCode.INVALID_DESCRIPTION,
                    "The job description cannot be stored: a text in it holds half of a surrogate pair.",
                    "Use texts of valid Unicode characters only."));
        }
        String same = description.credentials().isEmpty() && !description.isMulti()
                ? text
                : json.write(description.withoutCredentials());
        return new Encoded(text, sha256(same.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws FaultException of code {@code STORE_UNAVAILABLE} where the text is damaged
     */
    public JobDescription decode(String text) {
        return json.read(text, JobDescription.class);
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(((MessageDigest) SHA256.clone()).digest(bytes));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's SHA-256 can be copied", e);
        }
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
