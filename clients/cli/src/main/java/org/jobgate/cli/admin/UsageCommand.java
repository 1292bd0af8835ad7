// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jobgate.cli.text.Sentence;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code jobgate usage}: who used how much, and usage records for others. */
@Command(
        name = "usage",
        mixinStandardHelpOptions = true,
        description = {
            "Add up what jobs used, from the audit records.",
            "A job counts in the month of its end (UTC); jobs that failed by a fault of the site are not charged."
        })
final class UsageCommand implements Callable<Integer> {

    private static final double HOUR = 3_600_000;

    /** How the sums are shown. */
    enum Form {
        TABLE,
        CSV,
        JSON,
        SVG
    }

    @Mixin
    private Context context = new Context();

    @Option(
            names = "--by",
            paramLabel = "KEY",
            split = ",",
            defaultValue = "user,month",
            description =
                    "By what jobs are added up: user, vo, account, lrm, door, queue, month. Default: ${DEFAULT-VALUE}.")
    private List<String> by = new ArrayList<>();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only jobs that ended since, such as 2026-11-01T00:00:00Z.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Only jobs that ended before.")
    private @Nullable String until;

    @Option(names = "--subject", paramLabel = "DN", description = "Only those of this owner.")
    private @Nullable String subject;

    @Option(
            names = "--not-charged",
            paramLabel = "CODES",
            description =
                    "Faults whose jobs are not charged, with commas between them; none where empty. Default: those that are the site's own.")
    private @Nullable String uncharged;

    @Option(
            names = "--format",
            paramLabel = "FORM",
            defaultValue = "TABLE",
            description = "table, csv, json or svg (a plot).")
    private Form form = Form.TABLE;

    @Override
    public Integer call() throws AdminException {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("by", String.join(",", by));
        put(query, "since", since);
        put(query, "until", until);
        put(query, "subject", subject);
        put(query, "uncharged", uncharged);
        JsonNode rows = get(context, "/audit/usage", query).path("rows");
        switch (context.isJson ? Form.JSON : form) {
            case JSON -> context.showJson(rows);
            case CSV -> csv(rows);
            case TABLE -> table(context, rows, by);
            case SVG -> context.out().print(UsagePlot.of(by, rows));
        }
        context.out().flush();
        return 0;
    }

    private static void put(Map<String, String> query, String name, @Nullable String value) {
        if (value != null) {
            query.put(name, value);
        }
    }

    static JsonNode get(Context context, String path, Map<String, String> query) throws AdminException {
        String words = query.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        try {
            return context.client().get(words.isEmpty() ? path : path + "?" + words);
        } catch (AdminClient.NotRunningException e) {
            throw new AdminException("Jobgate is not running. Start it with: jobgate start", e);
        }
    }

    static String hours(JsonNode row, String name) {
        return String.format(Locale.ROOT, "%.2f", row.path(name).asDouble(0) / HOUR);
    }

    static void table(Context context, JsonNode rows, List<String> by) {
        List<String> heads = new ArrayList<>();
        by.forEach(key -> heads.add(key.toUpperCase(Locale.ROOT)));
        heads.addAll(List.of("JOBS", "DONE", "FAILED", "CANCELLED", "WALL-H", "SLOT-H", "CPU-H", "NOT-CHARGED"));
        Table table = new Table(heads.toArray(String[]::new));
        for (JsonNode row : rows) {
            List<String> cells = new ArrayList<>();
            by.forEach(key -> cells.add(Table.text(row.path(key))));
            for (String name : List.of("jobs", "done", "failed", "cancelled")) {
                cells.add(Table.text(row.path(name)));
            }
            for (String name : List.of("wall_ms", "slot_ms", "cpu_ms")) {
                cells.add(hours(row, name));
            }
            cells.add(Table.text(row.path("uncharged")));
            table.row(cells.toArray(String[]::new));
        }
        table.print(context.out());
    }

    private void csv(JsonNode rows) {
        List<String> names = new ArrayList<>(by);
        names.addAll(List.of(
                "jobs", "done", "failed", "cancelled", "uncharged", "wall_ms", "slot_ms", "cpu_ms", "unmeasured"));
        context.out().print(String.join(",", names) + "\r\n");
        for (JsonNode row : rows) {
            context.out()
                    .print(String.join(
                                    ",",
                                    names.stream()
                                            .map(name -> cell(Table.text(row.path(name))))
                                            .toList())
                            + "\r\n");
        }
    }

    /** Quoted as RFC 4180 has it; a text that a spreadsheet would take for a formula gets an apostrophe before it. */
    static String cell(String text) {
        String plain = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return plain.matches("[^\",\r\n]*") ? plain : '"' + plain.replace("\"", "\"\"") + '"';
    }

    /** What usage records say of the site. */
    static final class SiteOptions {
        @Option(
                names = "--site",
                required = true,
                paramLabel = "NAME",
                description = "The site's name in its register (GOCDB).")
        private String site = "";

        @Option(
                names = "--submit-host",
                paramLabel = "HOST",
                description = "This gateway's host. Default: that of its address.")
        private @Nullable String submitHost;

        @Option(
                names = "--benchmark",
                paramLabel = "KIND:VALUE",
                defaultValue = "HEPSPEC:1.0",
                description = "Of one processor, such as HEPscore23:12.5. Default: ${DEFAULT-VALUE}.")
        private String benchmark = "";

        @Option(names = "--not-charged", paramLabel = "CODES", description = "As for usage.")
        private @Nullable String uncharged;

        @Option(names = "--withhold-subjects", description = "Write \"withheld\" in the place of subjects.")
        private boolean isWithheld;

        Map<String, String> query(Context context) throws AdminException {
            int colon = benchmark.lastIndexOf(':');
            if (colon < 1) {
                throw new AdminException("The benchmark is " + benchmark + "; write it like HEPscore23:12.5.");
            }
            Map<String, String> query = new LinkedHashMap<>();
            query.put("site", site);
            query.put("submitHost", submitHost == null ? hostOf(context) : submitHost);
            query.put("benchmark", benchmark.substring(0, colon));
            query.put("benchmarkValue", benchmark.substring(colon + 1));
            put(query, "uncharged", uncharged);
            query.put("withhold", String.valueOf(isWithheld));
            return query;
        }

        private static String hostOf(Context context) throws AdminException {
            String host = URI.create(
                            get(context, "/status", Map.of()).path("url").asString(""))
                    .getHost();
            if (host == null) {
                throw new AdminException("The gateway does not say its host. Name it with --submit-host.");
            }
            return host;
        }
    }

    @Command(
            name = "records",
            mixinStandardHelpOptions = true,
            description = {
                "Write the usage record of each job that ended in a time.",
                "A record that is written again has the same identity, so that its receiver has it once."
            })
    int records(
            @Mixin Context of,
            @Mixin SiteOptions site,
            @Option(
                            names = "--format",
                            required = true,
                            paramLabel = "FORM",
                            description = "ur1, ur2, car, apel, json or blah.")
                    String format,
            @Option(names = "--since", paramLabel = "TIME", description = "Only jobs that ended since.") @Nullable
                    String from,
            @Option(names = "--until", paramLabel = "TIME", description = "Only jobs that ended before. Default: now.")
                    @Nullable
                    String to,
            @Option(
                            names = "--directory",
                            paramLabel = "DIR",
                            description =
                                    "Write files of at most 1000 records there, as SSM's outgoing queue wants them, instead of all to standard output. With blah: add what is new to blahp.log-YYYYMMDD there, each job once; --since begins anew.")
                    @Nullable
                    Path directory)
            throws AdminException {
        Map<String, String> query = site.query(of);
        query.put("format", format);
        put(query, "since", from);
        if (directory != null && format.equals("blah")) {
            if (to != null) {
                throw new AdminException(
                        "BLAH's log in a directory goes on from where the last run ended: leave --until out.");
            }
            fill(of, directory, query, from != null);
            return 0;
        }
        query.put("until", to == null ? Instant.now().toString() : to);
        while (true) {
            JsonNode page = get(of, "/audit/usage/records", query);
            if (page.path("jobs").asInt(0) == 0) {
                of.out().flush();
                return 0;
            }
            String place = page.path("after").asString();
            write(of, directory, format + "-" + place, page.path("text").asString(""));
            query.put("after", place);
        }
    }

    /** Each job's line once, whenever this is run and however it ended the last time. */
    private static void fill(Context of, Path directory, Map<String, String> query, boolean isAnew)
            throws AdminException {
        query.put("order", "recorded");
        try (BlahLogFiles files = BlahLogFiles.open(directory, Clock.systemUTC())) {
            put(query, "after", isAnew ? null : files.place());
            while (true) {
                JsonNode page = get(of, "/audit/usage/records", query);
                if (page.path("jobs").asInt(0) == 0) {
                    break;
                }
                String place = page.path("after").asString();
                files.append(page.path("text").asString(""), place);
                query.put("after", place);
            }
        } catch (IOException e) {
            throw new AdminException(
                    Sentence.of("BLAH's log cannot be written to " + directory + ": " + e.getMessage()), e);
        }
    }

    @Command(
            name = "summary",
            mixinStandardHelpOptions = true,
            description = {
                "Write APEL's sums of a month, and the count of its jobs (sync).",
                "The sums are of the whole month up to now: sent again, they replace those that were sent before."
            })
    int summary(
            @Mixin Context of,
            @Mixin SiteOptions site,
            @Option(
                            names = "--month",
                            paramLabel = "MONTH",
                            description = "Such as 2026-11. Default: the present one, in UTC.")
                    @Nullable
                    String month,
            @Option(
                            names = "--directory",
                            paramLabel = "DIR",
                            description = "Write two files there, instead of all to standard output.")
                    @Nullable
                    Path directory)
            throws AdminException {
        Map<String, String> query = site.query(of);
        String which = month == null ? YearMonth.now(ZoneOffset.UTC).toString() : month;
        query.put("month", which);
        JsonNode answer = get(of, "/audit/usage/month", query);
        write(of, directory, "apel-summary-" + which, answer.path("summary").asString(""));
        write(of, directory, "apel-sync-" + which, answer.path("sync").asString(""));
        of.out().flush();
        return 0;
    }

    /** A file has its name only when it is whole; the same records have the same name. */
    private static void write(Context context, @Nullable Path directory, String name, String text)
            throws AdminException {
        if (text.isEmpty()) {
            return;
        }
        if (directory == null) {
            context.out().print(text);
            return;
        }
        try {
            Path whole = directory.resolve(name);
            Path part = directory.resolve("." + name + ".part");
            Files.writeString(part, text);
            Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            context.out().println(whole);
        } catch (IOException e) {
            throw new AdminException(
                    Sentence.of("The records cannot be written to " + directory + ": " + e.getMessage()), e);
        }
    }
}
