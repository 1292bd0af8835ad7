// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit.usage;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Usage records, checked against the schemas of OGF and EMI, and as APEL's reader would read them. */
class UsageFormatTest {

    private static final Instant NOW = Instant.parse("2026-11-26T00:00:00Z");
    private static final long ENDED = Instant.parse("2026-11-25T12:00:10Z").toEpochMilli();
    private static final String NASTY =
            "/CN=%%%\nSite: EVIL\n%%\u0085Site: EVIL\r\u2028'); DROP TABLE audit_job; -- \"<ü>&]]>\u0000\uFFFE";
    private static final UsageSettings SITE =
            new UsageSettings("EXAMPLE-SITE", "gw.example.org", "HEPscore23", 12.5, UsageSettings.FAULTS_OF_SITE, true);

    private static Map<String, Object> row(int number, Map<String, Object> changed) {
        Map<String, Object> row = new HashMap<>(Map.of(
                "job",
                "01a21510-0000-7000-8000-00000000000" + number,
                "grid_id",
                "https://gw.example.org:8443/wsrf/services/ManagedExecutableJobService?abc" + number,
                "subject",
                "/O=Grid/CN=Alice",
                "account",
                "alice",
                "lrm",
                "Slurm",
                "created",
                ENDED - 20_000,
                "ended",
                ENDED + number,
                "outcome",
                "DONE",
                "local_ids",
                "457" + number));
        row.putAll(Map.of(
                "started", ENDED - 10_500,
                "queued", ENDED - 19_000,
                "wall_ms", 10_400,
                "cpu_ms", 19_600,
                "user_cpu_ms", 19_000,
                "system_cpu_ms", 600,
                "peak_memory_kib", 512_000,
                "slots", 2,
                "hosts", "node1.example.org,node2",
                "queue", "main"));
        row.put("vo", "testvo");
        row.put("fqans", "/testvo/prod/Role=pilot/Capability=NULL;/testvo/Role=NULL");
        row.putAll(changed);
        return row;
    }

    private static Map<String, Object> bare(int number) {
        Map<String, Object> row = row(number, Map.of("outcome", "FAILED", "fault", "EXECUTABLE_NOT_FOUND"));
        row.keySet()
                .removeAll(List.of(
                        "started",
                        "queued",
                        "wall_ms",
                        "cpu_ms",
                        "user_cpu_ms",
                        "system_cpu_ms",
                        "peak_memory_kib",
                        "slots",
                        "hosts",
                        "queue",
                        "local_ids"));
        return row;
    }

    private static List<Map<String, Object>> rows() {
        return List.of(
                row(1, Map.of()),
                row(2, Map.of("exit_code", 3, "hosts", "odd host;,-x", "peak_memory_kib", 0)),
                row(3, Map.of("subject", NASTY, "queue", NASTY, "account", "a" + NASTY, "lrm", "odd LRM")),
                row(4, Map.of("outcome", "CANCELLED", "fault", "CANCELLED_BY_USER", "exit_code", 143)),
                bare(5));
    }

    @ParameterizedTest
    @EnumSource(
            value = UsageFormat.class,
            names = {"UR1", "CAR"})
    void xmlIsValidByItsSchema(UsageFormat format) throws Exception {
        Path schema = Path.of(System.getProperty("jobgate.root", ".."), "..", "shared", "schemas", "usage")
                .resolve(format == UsageFormat.UR1 ? "ur-1.0.xsd" : "car-1.1.xsd");
        assumeTrue(Files.exists(schema), "SKIPPED: the schemas of usage records are not there");
        SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "file");
        String text = format.write(rows(), SITE, NOW);
        factory.newSchema(schema.toFile()).newValidator().validate(new StreamSource(new StringReader(text)));
        assertThat(text)
                .contains(">PT10.400S<", "2026-11-25T12:00:10Z", ">node1.example.org<", "EXAMPLE-SITE:01a21510-");
        assertThat(text).doesNotContain("DROP TABLE audit_job; -- \"<", "\u0000");
    }

    @Test
    void theSecondUsageRecordHasItsBlocks() {
        assertThat(UsageFormat.UR2.write(rows(), SITE, NOW))
                .contains(
                        "http://schema.ogf.org/urf/2013/04/urf",
                        "RecordIdentityBlock",
                        "SubjectIdentityBlock",
                        "ComputeUsageBlock",
                        "JobUsageBlock",
                        "MemoryUsageBlock");
    }

    /** As APEL's loader does it: a header, records between lines of percent signs, keys before the first colon. */
    private static List<Map<String, String>> read(String message, String header) {
        assertThat(message).startsWith(header + "\n");
        List<Map<String, String>> records = new ArrayList<>();
        for (String piece : message.substring(header.length() + 1).split("%%", -1)) {
            Map<String, String> record = new LinkedHashMap<>();
            // all that Python takes for the end of a line
            Stream.of(piece.split("\\R")).filter(line -> !line.isBlank()).forEach(line -> {
                String[] halves = line.split(":", 2);
                assertThat(halves).as(line).hasSize(2);
                assertThat(record.put(halves[0].strip(), halves[1].strip()))
                        .as(line)
                        .isNull();
            });
            if (!record.isEmpty()) {
                records.add(record);
            }
        }
        return records;
    }

    private static long number(Map<String, String> record, String name) {
        return Long.parseLong(requireNonNull(record.get(name)));
    }

    /** Field by field as APEL's reader takes the line apart; the batch system's own record of the job has the same id. */
    @Test
    void aLineOfBlahsLogJoinsTheBatchSystemsRecordByItsId() {
        List<String> lines = UsageFormat.BLAH.write(rows(), SITE, NOW).lines().toList();

        assertThat(lines).as("the fifth came to no LRM").hasSize(4);
        assertThat(lines.getFirst())
                .isEqualTo(
                        "\"timestamp=2026-11-25 11:59:51\" \"userDN=/O=Grid/CN=Alice\" \"userFQAN=/testvo/prod/Role=pilot/Capability=NULL\""
                                + " \"userFQAN=/testvo/Role=NULL\""
                                + " \"ceID=gw.example.org/jobgate-Slurm-main\""
                                + " \"jobID=https://gw.example.org:8443/wsrf/services/ManagedExecutableJobService?abc1\""
                                + " \"lrmsID=4571\" \"localUser=alice\"");
        String sacct = "4571|alice|main|2|10\n4572|alice|main|2|10\n4573|a|main|2|10\n4574|alice|main|2|10\n";
        List<String> batch = sacct.lines().map(line -> line.split("\\|", 2)[0]).toList();
        Pattern field = Pattern.compile("\"([A-Za-z]+)=([^\"]*)\"");
        List<String> joined = new ArrayList<>();
        for (String line : lines) {
            Map<String, String> fields = new HashMap<>();
            List<String> order = new ArrayList<>();
            field.matcher(line).results().forEach(found -> {
                fields.putIfAbsent(found.group(1), found.group(2));
                order.add(found.group(1));
            });
            assertThat(order.stream().distinct())
                    .containsExactly("timestamp", "userDN", "userFQAN", "ceID", "jobID", "lrmsID", "localUser");
            assertThat(field.matcher(line).replaceAll("").strip()).isEmpty();
            joined.add(fields.get("lrmsID"));
        }
        assertThat(joined).isEqualTo(batch);
    }

    @Test
    void apelsIndividualRecordsAreReadAsTheyAreMeantAndResentWithoutADouble() {
        String message = UsageFormat.APEL.write(rows(), SITE, NOW);
        List<Map<String, String>> records = read(message, "APEL-individual-job-message: v0.3");
        assertThat(records).hasSize(5);
        assertThat(records.getFirst())
                .containsEntry("Site", "EXAMPLE-SITE")
                .containsEntry("SubmitHost", "gw.example.org/jobgate-Slurm-main")
                .containsEntry("LocalJobId", "4571")
                .containsEntry("LocalUserId", "alice")
                .containsEntry("GlobalUserName", "/O=Grid/CN=Alice")
                .containsEntry("FQAN", "/testvo/prod/Role=pilot/Capability=NULL")
                .containsEntry("WallDuration", "10")
                .containsEntry("CpuDuration", "20")
                .containsEntry("Processors", "2")
                .containsEntry("NodeCount", "2")
                .containsEntry("EndTime", String.valueOf(ENDED / 1000))
                .containsEntry("InfrastructureDescription", "APEL-JOBGATE-SLURM")
                .containsEntry("InfrastructureType", "grid")
                .containsEntry("MemoryReal", "512000")
                .containsEntry("ServiceLevelType", "HEPscore23")
                .containsEntry("ServiceLevel", "12.5");
        assertThat(records).allSatisfy(record -> {
            assertThat(record)
                    .containsKeys("Site", "LocalJobId", "WallDuration", "CpuDuration", "StartTime", "EndTime");
            assertThat(record).containsEntry("Site", "EXAMPLE-SITE");
            assertThat(number(record, "EndTime")).isGreaterThanOrEqualTo(number(record, "StartTime"));
        });
        Map<String, Map<String, String>> repository = new HashMap<>();
        for (String sent :
                List.of(message, UsageFormat.APEL.write(rows().subList(1, 5), SITE, NOW.plusSeconds(86_400)))) {
            read(sent, "APEL-individual-job-message: v0.3")
                    .forEach(record -> repository.put(
                            record.get("Site") + " " + record.get("LocalJobId") + " " + record.get("EndTime"), record));
        }
        assertThat(repository).hasSize(5);
    }

    @Test
    void theSitesOwnFaultsAreNotCharged() {
        List<Map<String, Object>> rows = List.of(
                row(1, Map.of("outcome", "FAILED", "fault", "NODE_FAILED")),
                row(2, Map.of("outcome", "FAILED", "fault", "WALL_TIME_EXCEEDED")));
        assertThat(UsageFormat.JSON.write(rows, SITE, NOW).lines())
                .singleElement()
                .asString()
                .contains("4572");
        UsageSettings all = new UsageSettings("A", "b", "HEPSPEC", 1, Set.of(), false);
        assertThat(UsageFormat.JSON.write(rows, all, NOW).lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("\"withheld\"").doesNotContain("Alice"));
        assertThat(UsageFormat.CAR.write(rows.subList(0, 1), SITE, NOW)).isEmpty();
    }

    @Test
    void aMonthsSumsReplaceTheOnesBefore() {
        Instant first = Instant.parse("2026-11-01T00:00:00Z");
        Instant last = Instant.parse("2026-11-30T23:59:59Z");
        List<Apel.Sum> sums = List.of(
                new Apel.Sum(
                        "/CN=A",
                        "Slurm",
                        "main",
                        2,
                        "/testvo/prod/Role=pilot/Capability=NULL",
                        10,
                        36_000_400,
                        70_000_600,
                        first,
                        last),
                new Apel.Sum("/CN=A", "Slurm", "main", 1, "/testvo/Role=NULL", 5, 1_000, 0, first, last),
                new Apel.Sum(NASTY, "Fork", null, 1, null, 1, 1_499, 1_500, last, last));
        Apel apel = new Apel(SITE);
        YearMonth month = YearMonth.of(2026, 11);
        List<Map<String, String>> records = read(apel.summary(month, sums), "APEL-summary-job-message: v0.2");
        assertThat(records).hasSize(3);
        assertThat(records.getFirst())
                .containsEntry("VO", "testvo")
                .containsEntry("VOGroup", "/testvo/prod")
                .containsEntry("VORole", "Role=pilot")
                .containsEntry("Month", "11")
                .containsEntry("Year", "2026")
                .containsEntry("WallDuration", "36000")
                .containsEntry("CpuDuration", "70001")
                .containsEntry("NumberOfJobs", "10")
                .containsEntry("Processors", "2")
                .containsEntry("LatestEndTime", String.valueOf(last.getEpochSecond()));
        assertThat(read(apel.sync(month, sums), "APEL-sync-message: v0.1"))
                .extracting(record -> record.get("SubmitHost"), record -> record.get("NumberOfJobs"))
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple("gw.example.org/jobgate-Fork", "1"),
                        org.assertj.core.api.Assertions.tuple("gw.example.org/jobgate-Slurm-main", "15"));
        assertThat(apel.summary(month, List.of())).isEmpty();
    }

    @Test
    void namesThatCouldBreakAMessageAreRefused() {
        assertThatThrownBy(() -> new UsageSettings("A\nB", "b", "HEPSPEC", 1, Set.of(), true))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new UsageSettings("A", "b", "HEPSPEC", Double.NaN, Set.of(), true))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
