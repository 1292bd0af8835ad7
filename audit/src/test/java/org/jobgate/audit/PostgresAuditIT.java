// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

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
}
