// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.adapter.chirp.TicketMaker;
import org.jobgate.lrm.JobSideText;
import org.jobgate.lrm.LrmUnavailableException;

/**
 * Makes tickets by the program {@code chirp}, which runs as the job's account without a shell between. Each request has a worker process of
 * its own, as passwords have. The ticket itself stays in a private file of the account's.
 */
public final class ChirpWorkers implements TicketMaker {

    private static final Duration MARGIN = Duration.ofSeconds(10);

    /** Commands of one request beside the two for each directory: who one is, the ticket itself, withdrawing what was begun. */
    private static final int COMMANDS = 4;

    private final String program;
    private static final int MAX_PATH = 4096;
    private static final Pattern PATH = Pattern.compile("/[^\\p{Cntrl}]+");
    private static final Pattern SUBJECT = Pattern.compile("ticket:[0-9a-f]{32}");

    private final Duration answerTimeout;
    private final Map<String, LrmSpool> spools;
    private final OneRequest requests;

    /**
     * Runs nothing yet.
     *
     * @param program chirp: a name to be looked for in the account's PATH, or an absolute path
     * @param answerTimeout how long one command may take
     * @param spools the directories of the LRMs that keep files of jobs, by the LRM's name
     */
    public ChirpWorkers(
            String program,
            Duration answerTimeout,
            Map<String, LrmSpool> spools,
            FileSettings settings,
            SecureRandom random) {
        this.program = requireNonNull(program, "program is null");
        this.answerTimeout = requireNonNull(answerTimeout, "answerTimeout is null");
        this.spools = Map.copyOf(spools);
        this.requests = new OneRequest(
                "makes a ticket", settings, System.getProperty("user.name", ""), new LeftWorkers(), random);
    }

    @Override
    public Answer make(Place place, Map<String, String> rights, Duration lifetime) throws LrmUnavailableException {
        Map<String, Object> fields = fields(place);
        fields.put("lifetime", lifetime.toSeconds());
        fields.put(
                "directories",
                rights.entrySet().stream()
                        .map(right -> List.of(right.getKey(), right.getValue()))
                        .toList());
        Fields answer = requests.ask(place.account(), "chirp_make", fields, patience(rights.size()));
        String refused = answer.text("refused", "");
        if (!refused.isEmpty()) {
            return new Answer.Refused(JobSideText.line(refused, JobSideText.MAX_SENTENCE));
        }
        String path = answer.text("path", "");
        String subject = answer.text("subject", "");
        // the worker is the account's: what it answers is kept, and read again at the next start
        if (path.length() > MAX_PATH
                || !PATH.matcher(path).matches()
                || !SUBJECT.matcher(subject).matches()) {
            throw new LrmUnavailableException("the worker of the account " + place.account()
                    + " answered something else than the path and the subject of a ticket: "
                    + JobSideText.line(path + " " + subject, JobSideText.MAX_SENTENCE));
        }
        return new Answer.Made(path, subject);
    }

    @Override
    public void drop(Place place, boolean hasExpired) throws LrmUnavailableException {
        Map<String, Object> fields = fields(place);
        if (hasExpired) {
            fields.put("expired", 1);
        }
        requests.ask(
                place.account(), "chirp_drop", fields, patience(place.known().size()));
    }

    private Duration patience(int parts) {
        return answerTimeout.multipliedBy(COMMANDS + parts).plus(MARGIN);
    }

    private Map<String, Object> fields(Place place) throws LrmUnavailableException {
        LrmSpool spool = spools.get(place.lrm());
        if (spool == null) {
            throw new LrmUnavailableException("the LRM " + place.lrm() + " is not configured any more");
        }
        Map<String, Object> fields = new HashMap<>(Map.of(
                "program", program,
                "server", place.server(),
                "seconds", Math.max(1, answerTimeout.toSeconds()),
                "tag", place.job(),
                "known", place.known(),
                "spool", spool.path()));
        if (spool.former() != null) {
            fields.put("former_spool", spool.former());
        }
        return fields;
    }
}
