// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.job.JobId;
import org.jobgate.transfer.TransferRequest;
import org.jobgate.transfer.TransferTask;
import org.jobgate.transfer.Urls;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for; does not change.
 *
 * @param key of the resource
 * @param account the local account whose files it touches
 * @param credential the key of the delegated one; absent where none is named
 * @param concurrency 0 where the site's default holds, as for {@code maxAttempts}
 */
record StoredRequest(
        String key,
        String owner,
        String account,
        @Nullable String credential,
        int concurrency,
        int maxAttempts,
        boolean allOrNone,
        List<File> files) {

    /**
     * One file.
     *
     * @param source absent where the destination is to be deleted
     * @param options of the transfer, with those of the request that it does not say otherwise
     */
    record File(@Nullable String source, String destination, Map<String, String> options) {
        File {
            requireNonNull(destination, "destination is null");
            options = Map.copyOf(options);
        }
    }

    StoredRequest {
        requireNonNull(key, "key is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(account, "account is null");
        files = List.copyOf(files);
    }

    StoredRequest withCredential(String value) {
        return new StoredRequest(key, owner, account, value, concurrency, maxAttempts, allOrNone, files);
    }

    /** Under which its records lie: a request is no job, but is named in the same way. */
    JobId id() {
        return JobId.parse(key);
    }

    /** By what name the engine has the order of a request. */
    static String orderId(String key) {
        return "rft-" + key;
    }

    /** For the engine. One failure leaves the others alone, as with RFT, unless all or none was asked for. */
    TransferRequest order() {
        List<TransferTask> tasks = new ArrayList<>(files.size());
        for (File file : files) {
            String source = file.source();
            tasks.add(new TransferTask(
                    source == null ? null : Urls.parse(source), Urls.parse(file.destination()), file.options(), false));
        }
        return new TransferRequest(
                orderId(key), id(), owner, account, credential, tasks, concurrency, maxAttempts, allOrNone, null, true);
    }
}
