// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The service, the command line and the GridFTP library each have the table of attribute names, for none of them may know another. Where
 * they differed, a name that one of them shows would not be the name that another asks for.
 */
class AttributeTablesTest {

    private static final Path ROOT = Path.of(System.getProperty("jobgate.root"));

    private static List<String> rows(String source) throws IOException {
        List<String> rows = Files.readAllLines(ROOT.resolve(source)).stream()
                .map(String::strip)
                .filter(line -> line.matches("[0-9][0-9.]+ \\S+"))
                .toList();
        assertThat(rows).as(source).hasSizeGreaterThan(100);
        return rows;
    }

    @Test
    void theThreeTablesAreTheSame() throws IOException {
        List<String> service = rows("service/core/src/main/java/org/jobgate/authz/AttributeNames.java");

        assertThat(rows("clients/cli/src/main/java/org/jobgate/cli/tls/AttributeNames.java"))
                .isEqualTo(service);
        assertThat(rows("staging-rft/src/main/java/org/jobgate/gridftp/AttributeNames.java"))
                .isEqualTo(service);
    }
}
