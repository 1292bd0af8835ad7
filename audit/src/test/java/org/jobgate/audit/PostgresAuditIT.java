// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All that is tried on the file is tried on PostgreSQL. Needs one: {@code eval "$(scripts/postgres up)"}. */
class PostgresAuditIT {

    @Nested
    class Records extends AuditTest {
        @Override
        AuditPlace place(Path where) throws Exception {
            return AuditPlace.postgres(where);
        }
    }

    @Nested
    class Faults extends AuditFaultsTest {
        @Override
        AuditPlace place(Path where) throws Exception {
            return AuditPlace.postgres(where);
        }
    }

    @Nested
    class Keeping extends AuditKeepingTest {
        @Override
        AuditPlace place(Path where) throws Exception {
            return AuditPlace.postgres(where);
        }
    }

    @Nested
    class BadInput extends AuditBadInputTest {
        @Override
        AuditPlace place(Path where) throws Exception {
            return AuditPlace.postgres(where);
        }
    }

    @Nested
    class Usage extends UsageReportsTest {
        @Override
        AuditPlace place(Path where) throws Exception {
            return AuditPlace.postgres(where);
        }
    }

    /** The server itself ends what takes longer than the bound; every other refusal of it is something else. */
    @Test
    void aSumThatTakesLongerThanItsBoundIsKnownAsTooLong(@TempDir Path where) throws Exception {
        try (AuditPlace place = AuditPlace.postgres(where);
                Connection reader = place.database().reader();
                PreparedStatement sum = reader.prepareStatement("SELECT pg_sleep(?)");
                PreparedStatement wrong = reader.prepareStatement("SELECT 1 / ?")) {
            place.database().bound(sum);
            assertThat(sum.getQueryTimeout()).isEqualTo(60);

            sum.setQueryTimeout(1);
            sum.setInt(1, 30);
            SQLException tooLong = catchThrowableOfType(SQLException.class, sum::executeQuery);
            reader.rollback();
            wrong.setInt(1, 0);
            SQLException other = catchThrowableOfType(SQLException.class, wrong::executeQuery);

            assertThat(place.database().isTooLong(tooLong)).isTrue();
            assertThat(place.database().isTooLong(other)).isFalse();
        }
    }
}
