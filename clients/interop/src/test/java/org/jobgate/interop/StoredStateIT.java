// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A database that an earlier build left, with live jobs, delegated credentials, subscriptions and requests to move files, is opened and goes
 * on: the guard of every change of what is stored. {@code stored-state/make} adds a build.
 */
class StoredStateIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String BUILD = "2026-11-24";
    private static final byte[] SOURCE = "what the job wants\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] FAR = "what was not there\n".getBytes(StandardCharsets.UTF_8);

    private @Nullable FileServer server;

    @Test
    void whatWasInSqliteGoesOn() throws Exception {
        try (StoredState.Database database = new StoredState.Sqlite()) {
            goesOn(database);
        }
    }

    @Test
    void whatWasInPostgresGoesOn() throws Exception {
        String url = System.getenv("JOBGATE_TEST_POSTGRES_URL");
        assumeTrue(
                url != null,
                "SKIPPED: no PostgreSQL to test on. Run: eval \"$(scripts/postgres up)\" (JOBGATE_TEST_POSTGRES_URL is not set)");
        try (StoredState.Database database = StoredState.Postgres.make(requireNonNull(url))) {
            goesOn(database);
        }
    }

    private void goesOn(StoredState.Database database) throws Exception {
        try (Consumer consumer = new Consumer();
                Gateway gateway = Gateway.restore(made -> restored(made, database, consumer))) {
            theJobsAreThere(gateway);
            theSameSubmissionIsTheSameJob(gateway);
            theCredentialCanBeUsedAndRenewed(gateway);
            heldJobsGoOn(gateway);
            theSubscriberIsTold(consumer);
            theRequestToMoveFilesGoesOn(gateway);
            theJobWhoseProcessIsGoneIsNotLostSilently(gateway);
        } finally {
            if (server != null) {
                server.close();
            }
        }
    }

    private String restored(Gateway gateway, StoredState.Database database, Consumer consumer) throws Exception {
        Files.write(gateway.directory().resolve("source"), SOURCE);
        StoredState state = new StoredState(BUILD);
        state.putKeysInto(gateway);
        FileServer source = new FileServer(gateway);
        source.put("/in", FAR);
        server = source;
        return state.putInto(
                gateway,
                database,
                Map.of(
                        "https://localhost:@SOURCE@/", source.url("/"),
                        "https://127.0.0.1:@CONSUMER@/", consumer.address().replace("/consumer", "/")));
    }

    private static String reference(Gateway gateway, String name) {
        return gateway.directory().resolve("references/" + name + ".epr").toString();
    }

    private static Programs.Result command(Gateway gateway, String name, String... words) throws Exception {
        List<String> all = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/" + name).toString()));
        all.addAll(List.of(words));
        return gateway.clients().run(all);
    }

    private static String well(Gateway gateway, String name, String... words) throws Exception {
        Programs.Result result = command(gateway, name, words);
        assertThat(result.status()).as("%s: %s", name, result.output()).isZero();
        return result.output();
    }

    private static String state(Gateway gateway, String job) throws Exception {
        return gateway.globusrun("-status", "-j", reference(gateway, job)).output();
    }

    private static void theJobsAreThere(Gateway gateway) throws Exception {
        assertThat(state(gateway, "held")).contains("Pending");
        assertThat(state(gateway, "delegated")).contains("StageIn");
        assertThat(state(gateway, "multi")).contains("Pending");
        assertThat(state(gateway, "active")).contains("Active");
    }

    private static void theSameSubmissionIsTheSameJob(Gateway gateway) throws Exception {
        String job = "<job><executable>%s</executable><directory>/tmp</directory><stdout>/dev/null</stdout>"
                + "<stderr>/dev/null</stderr><holdState>Pending</holdState></job>";
        Path same = Files.writeString(gateway.directory().resolve("same.xml"), job.formatted("/bin/true"));
        Path other = Files.writeString(gateway.directory().resolve("other.xml"), job.formatted("/bin/false"));
        Path again = gateway.directory().resolve("again.epr");

        assertThat(submitted(gateway, same, again).status()).isZero();
        String id = id(Path.of(reference(gateway, "held")));
        assertThat(id(again)).isEqualTo(id);
        Programs.Result refused = submitted(gateway, other, again);
        assertThat(refused.status()).as(refused.output()).isEqualTo(252);
    }

    private static Programs.Result submitted(Gateway gateway, Path description, Path epr) throws Exception {
        return gateway.globusrun(
                "-submit",
                "-b",
                "-protocol",
                "4.0",
                "-term",
                "01/01/2120 00:00",
                "-I",
                "7f1e0c52-9a44-4d0b-8c1e-200000000001",
                "-o",
                epr.toString(),
                "-F",
                "localhost:" + gateway.port(),
                "-f",
                description.toString());
    }

    private static String id(Path reference) throws Exception {
        return Files.readString(reference).replaceFirst("(?s)^.*ResourceID[^>]*>([0-9a-f-]{36})<.*$", "$1");
    }

    private static void theCredentialCanBeUsedAndRenewed(Gateway gateway) throws Exception {
        Path seen = gateway.directory().resolve("proxy-of-a-new-job.pem");
        well(
                gateway,
                "globusrun-ws",
                "-submit",
                "-q",
                "-F",
                "localhost:" + gateway.port(),
                "-Jf",
                reference(gateway, "credential"),
                "-c",
                "/bin/sh",
                "-c",
                "cp \"$X509_USER_PROXY\" " + seen);
        assertThat(seen).content().contains("BEGIN CERTIFICATE", "PRIVATE KEY");
        well(gateway, "globus-credential-refresh", "-e", reference(gateway, "credential"));
    }

    private static void heldJobsGoOn(Gateway gateway) throws Exception {
        for (String job : List.of("held", "delegated", "multi")) {
            well(gateway, "globusrun-ws", "-release", "-j", reference(gateway, job));
        }
        for (String job : List.of("held", "delegated", "multi")) {
            await(job)
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(state(gateway, job)).contains("Done"));
        }
        assertThat(gateway.directory().resolve("sent")).hasBinaryContent(SOURCE);
        assertThat(gateway.directory().resolve("in")).doesNotExist();
        for (String job : List.of("held", "delegated", "multi")) {
            well(gateway, "wsrf-destroy", "-e", reference(gateway, job));
        }
    }

    private static void theSubscriberIsTold(Consumer consumer) throws InterruptedException {
        String message;
        do {
            message = new String(consumer.next(), StandardCharsets.UTF_8);
        } while (!message.contains(">Done<"));
        assertThat(message).contains("NotificationConsumerKey");
    }

    private static void theRequestToMoveFilesGoesOn(Gateway gateway) throws Exception {
        String request = reference(gateway, "request");
        assertThat(well(gateway, "globus-crft", "-status", "-e", request)).contains("2 Finished 1 file://");
        assertThat(well(gateway, "globus-crft", "-monitor", "-e", request)).contains("Done: 2 of 2 finished");
        assertThat(gateway.directory().resolve("moved")).hasBinaryContent(FAR);
        well(gateway, "globus-crft", "-destroy", "-e", request);
    }

    /** Its process was on another machine, or before a restart of this one. */
    private static void theJobWhoseProcessIsGoneIsNotLostSilently(Gateway gateway) throws Exception {
        well(gateway, "wsrf-destroy", "-e", reference(gateway, "active"));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(state(gateway, "active")).contains("There is no job"));
    }
}
