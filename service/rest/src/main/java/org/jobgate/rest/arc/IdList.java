// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jobgate.job.JobId;
import org.jobgate.job.ShortText;

/** The ids of a request, in its order. Sixteen bytes each, so that a list of a million is no burden; texts that can be no id of ours are kept as they are. */
final class IdList {

    private static final int SHOWN = 64;

    /** A text takes ten times the memory of an id. */
    private static final int MOST_OTHERS = 10_000;

    private long[] high = new long[16];
    private long[] low = new long[16];
    private int size;
    private final Map<Integer, String> others = new HashMap<>();

    /** @throws ArcRefusal where too many of the texts can be no id of ours */
    void add(String text) throws ArcRefusal {
        if (size == high.length) {
            high = Arrays.copyOf(high, 2 * size);
            low = Arrays.copyOf(low, 2 * size);
        }
        try {
            UUID id = JobId.parse(text.strip()).value();
            high[size] = id.getMostSignificantBits();
            low[size] = id.getLeastSignificantBits();
        } catch (IllegalArgumentException e) {
            if (others.size() >= MOST_OTHERS) {
                throw ArcRefusal.badRequest(
                        "More than " + MOST_OTHERS + " of the ids are no ids of jobs of this gateway.",
                        "Ask for jobs by the ids that this gateway gave, 36 characters each.");
            }
            others.put(size, ShortText.of(text, SHOWN));
        }
        size++;
    }

    /** A job that the request names by no id, which is answered in its place too. As a text that is none it counts against their number. */
    void addWithout() throws ArcRefusal {
        add("");
    }

    /** Whether the job at this place has no id at all. */
    boolean isWithout(int place) {
        return "".equals(others.get(place));
    }

    int size() {
        return size;
    }

    /** The id at this place; nothing where the text there is none. */
    Optional<JobId> id(int place) {
        return others.containsKey(place) ? Optional.empty() : Optional.of(new JobId(new UUID(high[place], low[place])));
    }

    /** What the client wrote. */
    String text(int place) {
        return others.getOrDefault(place, new UUID(high[place], low[place]).toString());
    }

    /** The ids between two places, without the texts that are none. */
    List<JobId> between(int from, int to) {
        List<JobId> ids = new ArrayList<>(to - from);
        for (int i = from; i < to; i++) {
            id(i).ifPresent(ids::add);
        }
        return ids;
    }
}
