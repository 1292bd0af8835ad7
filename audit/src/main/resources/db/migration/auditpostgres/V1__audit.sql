-- SPDX-FileCopyrightText: 2026 The Jobgate authors
-- SPDX-License-Identifier: Apache-2.0

-- The tables of db/migration/audit as they are after its last script, for PostgreSQL, with a part for each month.

-- What happened, in order; nothing is ever changed here. Each hash covers the hash before it.
CREATE TABLE audit_entry (
  number BIGINT NOT NULL,
  change BIGINT NOT NULL,
  job TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (number, at)
) PARTITION BY RANGE (at);
CREATE TABLE audit_entry_rest PARTITION OF audit_entry DEFAULT;
CREATE INDEX audit_entry_job ON audit_entry (job, number);
CREATE INDEX audit_entry_act ON audit_entry (number) WHERE kind = 'ACT';

-- One row for each job, made of its entries. The ids of jobs begin with the time at which they were made.
CREATE TABLE audit_job (
  job TEXT COLLATE "C" PRIMARY KEY,
  grid_id TEXT NOT NULL,
  door TEXT NOT NULL,
  language TEXT NOT NULL,
  subject TEXT NOT NULL,
  account TEXT NOT NULL,
  client_id TEXT,
  lrm TEXT NOT NULL,
  created BIGINT NOT NULL,
  description TEXT,
  local_ids TEXT,
  queued BIGINT,
  started BIGINT,
  ended BIGINT,
  outcome TEXT,
  exit_code BIGINT,
  signal BIGINT,
  wall_ms BIGINT,
  cpu_ms BIGINT,
  user_cpu_ms BIGINT,
  system_cpu_ms BIGINT,
  peak_memory_kib BIGINT,
  slots BIGINT,
  hosts TEXT,
  queue TEXT,
  measured_by TEXT,
  method TEXT,
  issuer TEXT,
  vo TEXT,
  fqans TEXT,
  scopes TEXT,
  permitted_because TEXT,
  stage_in BIGINT,
  stage_out BIGINT,
  clean_up BIGINT,
  files_in BIGINT,
  bytes_in BIGINT,
  files_out BIGINT,
  bytes_out BIGINT,
  transfer_attempts BIGINT,
  transfer_failures BIGINT,
  fault TEXT,
  sentence TEXT,
  version TEXT NOT NULL
) PARTITION BY RANGE (job);
CREATE TABLE audit_job_rest PARTITION OF audit_job DEFAULT;
-- by hash, as subjects may be longer than an entry of a sorted index
CREATE INDEX audit_job_subject ON audit_job USING hash (subject);
CREATE INDEX audit_job_created ON audit_job (created);
CREATE INDEX audit_job_ended ON audit_job (ended, job) WHERE ended IS NOT NULL;
CREATE INDEX audit_job_measured ON audit_job (ended) WHERE measured_by = 'JOB';
CREATE INDEX audit_job_unmeasured ON audit_job (ended) WHERE cpu_ms IS NULL AND local_ids IS NOT NULL;

CREATE TABLE audit_day (
  id TEXT COLLATE "C" PRIMARY KEY,
  day BIGINT NOT NULL,
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
  slots BIGINT NOT NULL,
  kept BIGINT NOT NULL,
  jobs BIGINT NOT NULL,
  unmeasured BIGINT NOT NULL,
  wall_ms DOUBLE PRECISION NOT NULL,
  slot_ms DOUBLE PRECISION NOT NULL,
  cpu_ms DOUBLE PRECISION NOT NULL,
  earliest BIGINT NOT NULL,
  latest BIGINT NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX audit_day_day ON audit_day (day);

CREATE TABLE audit_state (name TEXT PRIMARY KEY, value TEXT NOT NULL);

-- GRAM's audit table, under the names that it has had since Globus Toolkit 4.0.5.
CREATE VIEW gram_audit_table AS
SELECT
  grid_id AS job_grid_id,
  local_ids AS local_job_id,
  subject AS subject_name,
  account AS username,
  client_id AS idempotence_id,
  to_char(to_timestamp(created / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS creation_time,
  to_char(to_timestamp(queued / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS queued_time,
  NULL::text AS stage_in_grid_id,
  NULL::text AS stage_out_grid_id,
  NULL::text AS clean_up_grid_id,
  version AS globus_toolkit_version,
  lrm AS resource_manager_type,
  COALESCE(description, '') AS job_description,
  CASE WHEN outcome = 'DONE' THEN 'true' ELSE 'false' END AS success_flag,
  CASE WHEN outcome IS NULL THEN 'false' ELSE 'true' END AS finished_flag
FROM audit_job;
