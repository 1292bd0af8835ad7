// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jobgate.access.JobGroups;
import org.jobgate.access.Jobs;
import org.jobgate.job.ElementState;
import org.jobgate.job.GroupElement;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.IndexRange;
import org.jobgate.job.Job;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;

/** Lists the elements of an array by their index, page by page. */
final class ArrayElements {

    private static final int USUAL = 100;

    /** So many are read at once. */
    private static final int AT_ONCE = 1_000;

    /** So many are looked at for one answer; where few of them match, the page is short and has a next one. */
    private static final int MOST_READ = 10_000;

    private final Jobs jobs;
    private final JobGroups arrays;
    private final ApiSettings settings;

    ArrayElements(Jobs jobs, ApiSettings settings) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.arrays = jobs.groups();
        this.settings = requireNonNull(settings, "settings is null");
    }

    /**
     * An element as it is shown.
     *
     * @param value absent where the elements differ by their index only
     * @param job its job, where that is over and still kept
     */
    record Element(
            GroupElement element,
            @Nullable String value,
            @Nullable Job job) {}

    /**
     * A page.
     *
     * @param next where the next one begins; absent for the last one
     */
    private record Page(
            List<GroupElement> elements, @Nullable Long next) {}

    void answer(ApiCall call) throws IOException, Problem {
        Query query = call.query("state", "elements", "limit", "cursor");
        Set<ElementState> states = ArrayView.states(query);
        List<IndexRange> ranges = ArrayParts.read(query.text("elements").orElse(null));
        int most = (int) Math.min(
                Math.min(
                        settings.listedJobs().value(),
                        settings.jobs().jobsAtOnce().value()),
                MOST_READ);
        int limit = query.number("limit", 1, most, true).orElse(Math.min(USUAL, most));
        int from = query.number("cursor", 0, Integer.MAX_VALUE, false).orElse(0);
        JobId id = ArrayOperations.id(call);
        JobGroup array = arrays.find(call.caller(), id).orElseThrow(() -> ArrayOperations.unknown(call));
        if (query.text("elements").isPresent()) {
            ArrayParts.check(array, ranges);
        }
        Page page = page(call, new Wanted(id, ranges, states, limit), from);
        List<Element> shown = shown(call, array, page.elements());
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("elements");
            shown.forEach(element -> ArrayView.write(out, element));
            out.writeEndArray();
            if (page.next() != null) {
                out.writeStringProperty("next", page.next().toString());
            }
            out.writeEndObject();
        });
    }

    /** What a request asks for. */
    private record Wanted(JobId array, List<IndexRange> ranges, Set<ElementState> states, int limit) {

        boolean matches(GroupElement element) {
            return states.isEmpty() || states.contains(element.state());
        }

        /** How many to read of a range of so many indexes, where so many are found already. */
        int toRead(long indexes, int found) {
            // one more says whether there is a next page
            long missing = states.isEmpty() ? limit - found + 1L : AT_ONCE;
            return (int) Math.min(Math.min(missing, AT_ONCE), indexes);
        }
    }

    private Page page(ApiCall call, Wanted wanted, int cursor) throws Problem {
        List<GroupElement> found = new ArrayList<>();
        int read = 0;
        for (IndexRange range : wanted.ranges()) {
            long from = Math.max(range.first(), cursor);
            boolean isMore = from <= range.last();
            while (isMore) {
                if (read >= MOST_READ) {
                    return new Page(found, from);
                }
                int toRead = wanted.toRead(range.last() - from + 1, found.size());
                List<GroupElement> some = arrays.elements(call.caller(), wanted.array(), (int) from, toRead)
                        .orElseThrow(() -> ArrayOperations.unknown(call));
                for (GroupElement element : some) {
                    if (element.index() <= range.last() && wanted.matches(element)) {
                        if (found.size() == wanted.limit()) {
                            return new Page(found, (long) element.index());
                        }
                        found.add(element);
                    }
                }
                read += toRead;
                from = some.isEmpty() ? from : some.getLast().index() + 1L;
                isMore = some.size() == toRead && from <= range.last();
            }
        }
        return new Page(found, null);
    }

    private List<Element> shown(ApiCall call, JobGroup array, List<GroupElement> elements) {
        List<JobId> over = elements.stream()
                .filter(element -> element.state().isOver())
                .flatMap(element -> Optional.ofNullable(element.job()).stream())
                .toList();
        Map<JobId, Job> ended = new HashMap<>();
        if (!over.isEmpty()) {
            jobs.findAll(call.caller(), over).forEach(job -> job.ifPresent(one -> ended.put(one.id(), one)));
        }
        List<String> values = arrays.template(call.caller(), array.id())
                .map(template -> template.values())
                .orElse(List.of());
        List<Element> shown = new ArrayList<>();
        for (GroupElement element : elements) {
            Job job = element.job() == null ? null : ended.get(element.job());
            shown.add(new Element(element, value(array.indexes(), values, element), job));
        }
        return shown;
    }

    private static @Nullable String value(GroupIndexes indexes, List<String> values, GroupElement element) {
        return values.isEmpty()
                ? null
                : indexes.place(element.index()).map(values::get).orElse(null);
    }
}
