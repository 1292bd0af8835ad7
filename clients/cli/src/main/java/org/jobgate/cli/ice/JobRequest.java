// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is put into the queue.
 *
 * @param id of the job for ever, a UUID
 * @param owner whose it is, as the proxy says
 * @param proxy the file that holds the proxy; who renews it puts the new one there
 * @param myProxy a server that renews it, as {@code USER@HOST[:PORT]}; null for none
 * @param places the queues that it may go to, each as HOST:PORT/cream-LRMS-QUEUE
 * @param jdl with whole paths of the files of this machine
 * @param retries how often it is submitted once more where it failed after it had begun
 * @param shallowRetries the same where it failed before
 */
record JobRequest(
        String id,
        String owner,
        String proxy,
        @Nullable String myProxy,
        List<String> places,
        String jdl,
        int retries,
        int shallowRetries) {

    JobRequest {
        places = List.copyOf(places);
        if (places.isEmpty()) {
            throw new IllegalArgumentException("a job without a place");
        }
    }
}
