// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.wire.Json;

/** Verbs for single jobs, of which several can be named. */
final class JobVerbs {
    private static final int LIST_MAX = 9_999;
    private static final String COLUMNS = "id,state,lrm,account,created,exitCode,holding,fault";

    private final Verbs.Context context;
    private final RestClient client;

    JobVerbs(Verbs.Context context) {
        this.context = requireNonNull(context, "context is null");
        this.client = context.client();
    }

    int list() throws IOException, CommandException {
        int limit = context.words().number(VerbOption.LIMIT, 50, 1, LIST_MAX);
        byte[] answer = client.get("/jobs?limit=" + limit + (context.isJson() ? "" : "&fields=" + COLUMNS)
                + Verbs.parameter(context.words(), VerbOption.STATE, "state")
                + (context.words().has(VerbOption.LIVE) ? "&final=false" : ""));
        if (context.isJson()) {
            print(answer);
            return ExitStatus.OK.code();
        }
        Json page = Json.read(answer);
        if (page.get("jobs").items().isEmpty()) {
            context.console().line("There are no such jobs. jobgate submit makes one.");
        }
        for (Json job : page.get("jobs").items()) {
            String fault = job.get("fault").get("code").text();
            String exit = job.get("exitCode").text();
            context.out()
                    .println(String.join(
                            "  ",
                            JobLine.printable(job.get("id").text()),
                            JobLine.printable(job.get("created").text().replaceFirst("\\..*", "Z")),
                            JobLine.printable(job.get("lrm").text()),
                            JobLine.printable(job.get("account").text()),
                            JobLine.state(job)
                                    + (exit.isEmpty() ? "" : " " + exit)
                                    + (fault.isEmpty() ? "" : " " + JobLine.printable(fault))));
        }
        if (!page.get("next").isMissing()) {
            context.console().line("There are more: --limit shows them.");
        }
        return ExitStatus.OK.code();
    }

    int status() throws IOException, CommandException {
        int status = ExitStatus.OK.code();
        for (String id : ids()) {
            status = Math.max(status, each(id, () -> {
                byte[] answer = client.get("/jobs/" + id);
                if (context.isJson()) {
                    print(answer);
                } else {
                    context.out().println(JobLine.of(Json.read(answer)));
                }
            }));
        }
        return status;
    }

    int explain() throws IOException, CommandException {
        int status = ExitStatus.OK.code();
        for (String id : ids()) {
            status = Math.max(status, each(id, () -> {
                byte[] answer = client.get("/jobs/" + id + "/explain");
                if (context.isJson()) {
                    print(answer);
                    return;
                }
                Json told = Json.read(answer);
                context.out().println(JobLine.printable(told.get("summary").text()));
                for (Json line : told.get("lines").items()) {
                    String text = line.get("text").isMissing()
                            ? line.get("sentence").text()
                            : line.get("text").text();
                    context.out()
                            .println(JobLine.printable("  " + line.get("at").text() + "  " + text));
                }
                String waits = told.get("waitsFor").text();
                if (!waits.isEmpty()) {
                    context.out().println("It waits for: " + JobLine.printable(waits));
                }
            }));
        }
        return status;
    }

    /** Waits for each; the status is the greatest that any of them has. */
    int waitFor() throws IOException, CommandException, InterruptedException {
        long seconds = context.words().number(VerbOption.LONGEST, Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
        List<String> ids = ids();
        Waiting waiting = new Waiting(context, ids.size(), System.nanoTime() + seconds * 1_000_000_000L);
        int status = ExitStatus.OK.code();
        for (String id : ids) {
            Json job = waiting.untilOver("/jobs/" + id);
            if (!job.get("final").isTrue()) {
                context.console().error("The job " + id + " is not over yet: it is " + JobLine.state(job) + ".");
                return Waiting.TIME_IS_OVER;
            }
            if (!context.isJson()) {
                context.out().println(JobLine.of(job));
            } else {
                print(client.get("/jobs/" + id));
            }
            status = Math.max(status, JobLine.exitStatus(job));
        }
        return status;
    }

    /** Gives an order to all of the jobs at once; each has its own answer. */
    int order(String action) throws IOException, CommandException {
        List<String> ids = ids();
        String at = context.words().value(VerbOption.AT);
        byte[] answer = client.post(
                "/bulk/jobs/" + action + "?fields=id,state,holding,exitCode,suspendWish",
                "{\"ids\":" + Json.list(ids) + (at == null ? "" : ",\"at\":" + Json.quote(at)) + "}");
        if (context.isJson()) {
            print(answer);
        }
        List<Json> results = Json.read(answer).get("results").items();
        int status = ExitStatus.OK.code();
        for (int i = 0; i < results.size(); i++) {
            Json problem = results.get(i).get("problem");
            if (!problem.isMissing()) {
                status = ExitStatus.REFUSED.code();
                context.console().error(ids.get(i) + ": " + RestClient.said(problem));
            } else if (!context.isJson()) {
                Json job = results.get(i).get("job");
                boolean isGone = results.get(i).get("status").text().equals("204");
                String wish = job.get("suspendWish").text();
                boolean isEnding = (action.equals("cancel") || action.equals("delete"))
                        && !JobLine.FINAL.contains(job.get("state").text());
                String asked = wish.isEmpty() ? "" : " (" + wish + " is asked of its batch system)";
                String line = isEnding ? ids.get(i) + "  is being ended" : JobLine.of(job) + asked;
                context.console().line(isGone ? ids.get(i) + "  gone" : line);
            }
        }
        return status;
    }

    /** Something done to one of several jobs: a refusal of one keeps none of the others back. */
    @FunctionalInterface
    private interface One {
        void run() throws IOException, CommandException;
    }

    private int each(String id, One one) throws IOException {
        try {
            one.run();
            return ExitStatus.OK.code();
        } catch (CommandException e) {
            context.console().error(id + ": " + e.getMessage());
            return e.status().code();
        }
    }

    private List<String> ids() throws IOException, CommandException {
        return ShortIds.ofJobs(client).whole(context.operands());
    }

    private void print(byte[] json) {
        context.out().println(new String(json, StandardCharsets.UTF_8).strip());
    }
}
