// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gridsite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.delegation.TestGrid.ALICE;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jobgate.delegation.DelegationDoor;
import org.jobgate.delegation.TestGrid;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replays what gridsite's htproxy commands sent. Their proxies are over keys of the peer of that time, so putting one is refused with
 * the service's own exception; that real ones are taken is tested with the commands themselves (GridsiteClientsIT).
 */
class GridsiteCapturesTest {

    private static final Path CAPTURE =
            Path.of(System.getProperty("jobgate.root", "."), "..", "shared/captures/delegation/htproxy-requests.txt");

    private record Request(String operation, String envelope) {}

    private static List<Request> requests() throws Exception {
        assumeTrue(
                Files.isRegularFile(CAPTURE),
                "NOT TESTED against real clients: there is no capture at " + CAPTURE.toAbsolutePath());
        List<Request> requests = new ArrayList<>();
        for (String part : Files.readString(CAPTURE).split("(?m)^=== ", -1)) {
            if (part.startsWith("POST ")) {
                String head = part.substring(0, part.indexOf('\n'));
                requests.add(new Request(
                        head.replaceAll("^.* op=([A-Za-z]+).*$", "$1"),
                        part.substring(part.indexOf('\n') + 1).strip()));
            }
        }
        return requests;
    }

    @Test
    void everyRequestIsUnderstoodAndAnsweredInItsOwnNamespace(@TempDir Path directory) throws Exception {
        Set<String> answered = new TreeSet<>();
        List<Request> requests = requests();
        try (DelegationDoor door = new DelegationDoor(new TestGrid(), directory)) {
            for (Request request : requests) {
                String namespace = request.envelope().contains(GridsiteDelegation.NAMESPACE_2)
                        ? GridsiteDelegation.NAMESPACE_2
                        : GridsiteDelegation.NAMESPACE_1;
                XmlElement body = door.post(ALICE, GridsiteDelegation.NAME, request.envelope())
                        .body();
                XmlElement answer = body.localName().equals("Fault")
                        ? body.child("detail").orElseThrow().children().getFirst()
                        : body;
                assertThat(answer.name().getNamespaceURI()).isEqualTo(namespace);
                assertThat(answer.localName()).isIn(request.operation() + "Response", "DelegationException");
                answered.add(answer.localName());
            }
        }
        assertThat(requests).isNotEmpty();
        assertThat(answered).contains("getNewProxyReqResponse");
    }
}
