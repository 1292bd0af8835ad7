// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jobgate.files.FileNames;
import org.jobgate.job.OutputOptions;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Sends what files have got since the last time while a job writes them, each slice as a file {@code NAME.yyyymmddHHMMSS_n} (the time in UTC,
 * n rising from 1) in the destination's directory, as the wrapper of CREAM and gLite's workload management does for users who look at a job
 * that runs (facts/cream.md section 6). Which files those are is read from a list, each time anew: a user may write it while the job runs.
 *
 * <p>What is about to be sent is written down before it is sent: after a crash the same bytes go to the same name, so that no slice is missing
 * or twice.
 */
final class Slices {

    private static final int LIST_BYTES = 64 * 1024;
    private static final int LONGEST_NAME = 400;

    /** Behind it a name needs room for the time and the number. */
    private static final int LONGEST_LAST_PART = 200;

    private static final long LEAST_SHARE = 64 * 1024;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Protocols protocols;
    private final UrlPolicy policy;
    private final TransferSettings.Following settings;
    private final Clock clock;

    Slices(Protocols protocols, UrlPolicy policy, TransferSettings.Following settings, Clock clock) {
        this.protocols = requireNonNull(protocols, "protocols is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Sends one slice of each file that has got longer.
     *
     * @param here what the files are read with; its marker says how far each came
     */
    Appending.Turn turn(TransferTask task, TransferContext here, Appending.Credentialed there)
            throws TransferException, InterruptedException {
        TransferContext whole = there.context();
        Listed listed = list(whole);
        return listed.why() == null
                ? send(task, SliceMarks.of(here.marker()), listed.names(), new HashMap<>(), here, whole)
                : Appending.Turn.MISSING;
    }

    /**
     * Sends what is left of the files when the job has ended: as much as they have when they are looked at first, for something else may go on
     * writing them.
     *
     * @return what its owner should know; absent where all is sent
     */
    @Nullable
    String finish(TransferTask task, TransferContext context) throws InterruptedException, TransferException {
        Listed listed = list(context);
        if (listed.why() != null) {
            return "no more slices of files were sent: " + listed.why();
        }
        SliceMarks marks = SliceMarks.of(context.marker());
        Map<String, Long> ends = new HashMap<>();
        Appending.Turn turn = Appending.Turn.PART;
        while (turn == Appending.Turn.PART) {
            turn = send(task, marks, listed.names(), ends, context, context);
        }
        return listed.isCut() ? "slices were sent of the first " + settings.files() + " files of the list" : null;
    }

    /**
     * What the list says.
     *
     * @param why it could not be read; absent where it could
     * @param isCut whether it has more names than may be
     */
    private record Listed(List<String> names, @Nullable String why, boolean isCut) {}

    /** A list that is not there may still come. */
    private Listed list(TransferContext whole) throws TransferException, InterruptedException {
        URI url = Urls.parse(whole.option(OutputOptions.SLICES_LIST).orElseThrow());
        if (protocols.of(url).namesServer()) {
            policy.check(url);
        }
        try (Source list = protocols.of(url).open(url, 0, "", ofList(whole))) {
            return names(new String(list.bytes().readNBytes(LIST_BYTES), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw TransferException.of(e, "reading " + url);
        } catch (TransferException e) {
            if (e.kind() != Kind.PERMANENT) {
                throw e;
            }
            return new Listed(List.of(), "the list " + url + " cannot be read: " + e.sentence(), false);
        }
    }

    private static TransferContext ofList(TransferContext whole) {
        Map<String, String> options = new HashMap<>();
        whole.option(OutputOptions.SLICES_LIST_SUBJECT).ifPresent(subject -> options.put(End.SUBJECT, subject));
        return new TransferContext(
                whole.id(),
                whole.account(),
                whole.credential(),
                options,
                false,
                whole.idleTimeout(),
                null,
                new Appending.Counting(whole.progress()));
    }

    private Listed names(String text) {
        Set<String> names = new LinkedHashSet<>();
        text.lines().map(String::strip).filter(Slices::isName).forEach(names::add);
        return new Listed(names.stream().limit(settings.files()).toList(), null, names.size() > settings.files());
    }

    private static boolean isName(String line) {
        return !line.isEmpty()
                && line.length() <= LONGEST_NAME
                && !line.endsWith("/")
                && lastPart(line).length() <= LONGEST_LAST_PART
                && line.chars().noneMatch(Character::isISOControl);
    }

    private static String lastPart(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /**
     * Sends a part of the bytes of a turn of each file, so that the first one does not keep the others from being sent.
     *
     * @param ends how long each file was when it was looked at first, by its name: no more is sent of it
     */
    private Appending.Turn send(
            TransferTask task,
            SliceMarks marks,
            List<String> names,
            Map<String, Long> ends,
            TransferContext here,
            TransferContext whole)
            throws TransferException, InterruptedException {
        long share = Math.max(LEAST_SHARE, settings.bytes() / Math.max(1, names.size()));
        marks.keep(names, settings.files());
        Appending.Turn result = Appending.Turn.NOTHING;
        for (String name : names) {
            Appending.Turn turn = send(task, marks, name, share, ends, here, whole);
            if (result != Appending.Turn.PART && turn != Appending.Turn.NOTHING) {
                result = turn;
            }
        }
        return result;
    }

    private Appending.Turn send(
            TransferTask task,
            SliceMarks marks,
            String name,
            long share,
            Map<String, Long> ends,
            TransferContext here,
            TransferContext whole)
            throws TransferException, InterruptedException {
        URI file = file(requireNonNull(task.source(), "slices of nothing"), name);
        WrittenFiles.Known found = WrittenFiles.look(file, protocols, here).orElse(null);
        if (found == null) {
            return Appending.Turn.NOTHING; // not there yet, or not to be read: the other files are sent
        }
        ends.putIfAbsent(name, found.size());
        long size = Math.min(found.size(), ends.get(name));
        SliceMarks.Mark mark = marks.of(name, found);
        if (mark.end() == mark.offset()) {
            if (size <= mark.offset()) {
                return Appending.Turn.NOTHING;
            }
            mark = mark.sending(Math.min(size, mark.offset() + share), TIME.format(clock.instant()));
            here.progress().mark(marks.with(name, mark));
        }
        URI slice = Urls.inside(task.destination(), lastPart(name) + "." + mark.time() + "_" + mark.number(), false);
        WrittenFiles.send(file, mark.offset(), mark.end() - mark.offset(), slice, protocols, here, whole);
        here.progress().mark(marks.with(name, mark.sent()));
        return size > mark.end() ? Appending.Turn.PART : Appending.Turn.ALL;
    }

    private static URI file(URI directory, String name) {
        String root = name.startsWith("/") ? "/" : directory.getRawPath();
        return URI.create("file://" + root + FileNames.encoded(name.replaceFirst("^/+", "")));
    }
}
