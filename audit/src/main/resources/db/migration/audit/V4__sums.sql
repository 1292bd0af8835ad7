-- SPDX-FileCopyrightText: 2026 The Jobgate authors
-- SPDX-License-Identifier: Apache-2.0

-- What jobs used, added up for each day (UTC) of their ends and for all that sums are asked by. The id is a hash of these. What is kept of
-- jobs that were taken out is apart, so that the rest can be compared with the rows of jobs. Times are milliseconds; they are floating-point
-- numbers, exact up to 2^53, as a sum must not overflow.
CREATE TABLE audit_day (
  id TEXT PRIMARY KEY,
  day INTEGER NOT NULL,
  month TEXT NOT NULL,
  subject TEXT NOT NULL,
  account TEXT NOT NULL,
  lrm TEXT NOT NULL,
  door TEXT NOT NULL,
  queue TEXT NOT NULL,
  vo TEXT NOT NULL,
  fqan TEXT NOT NULL,
  outcome TEXT NOT NULL,
  fault TEXT NOT NULL,
  slots INTEGER NOT NULL,
  kept INTEGER NOT NULL,
  jobs INTEGER NOT NULL,
  unmeasured INTEGER NOT NULL,
  wall_ms DOUBLE PRECISION NOT NULL,
  slot_ms DOUBLE PRECISION NOT NULL,
  cpu_ms DOUBLE PRECISION NOT NULL,
  earliest INTEGER NOT NULL,
  latest INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX audit_day_day ON audit_day (day);

-- Sums do not read rows of jobs any more, but for the part of a day.
DROP INDEX audit_job_usage;
CREATE INDEX audit_job_ended ON audit_job (ended, job) WHERE ended IS NOT NULL;

-- those of whose processor time nothing is known
CREATE INDEX audit_job_unmeasured ON audit_job (ended) WHERE cpu_ms IS NULL AND local_ids IS NOT NULL;
