// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.s3;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One page of what ListObjectsV2 answers. */
final class S3Listing implements S3Answers.Elements {

    /** @param key of an object, or a common prefix, which ends with a slash */
    record Found(String key, long size, boolean isPrefix) {}

    private final List<Found> found = new ArrayList<>();
    private boolean isEncoded;
    private boolean isTruncated;
    private boolean isListing;
    private boolean isInPrefixes;
    private String next = "";
    private String key = "";
    private long size;

    static S3Listing read(InputStream answer) throws IOException {
        S3Listing listing = new S3Listing();
        try {
            S3Answers.read(answer, listing);
        } catch (IllegalArgumentException e) {
            throw new IOException("the store's list cannot be read: " + e.getMessage(), e);
        }
        if (!listing.isListing) {
            throw new IOException("the store's answer is no list");
        }
        return listing;
    }

    @Override
    public void begin(String name) {
        switch (name) {
            case "ListBucketResult" -> isListing = true;
            case "CommonPrefixes" -> isInPrefixes = true;
            case "Contents" -> {
                key = "";
                size = 0;
            }
            default -> {}
        }
    }

    @Override
    public void end(String name, String text) {
        switch (name) {
            case "EncodingType" -> isEncoded = text.strip().equals("url");
            case "IsTruncated" -> isTruncated = text.strip().equals("true");
            case "NextContinuationToken" -> next = text.strip();
            case "Key" -> key = text;
            case "Size" -> size = text.strip().matches("[0-9]{1,18}") ? Long.parseLong(text.strip()) : 0;
            case "Contents" -> found.add(new Found(key, size, false));
            case "Prefix" -> {
                if (isInPrefixes) {
                    found.add(new Found(text, 0, true));
                }
            }
            case "CommonPrefixes" -> isInPrefixes = false;
            default -> {}
        }
    }

    /** Where EncodingType stands, only the whole answer tells: keys are decoded here. */
    List<Found> found() {
        return !isEncoded
                ? List.copyOf(found)
                : found.stream()
                        .map(each -> new Found(
                                URLDecoder.decode(each.key(), StandardCharsets.UTF_8), each.size(), each.isPrefix()))
                        .toList();
    }

    /** What to ask for the next page with; empty behind the last. */
    String next() {
        return isTruncated ? next : "";
    }
}
