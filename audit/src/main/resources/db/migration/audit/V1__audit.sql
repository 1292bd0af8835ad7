-- SPDX-FileCopyrightText: 2026 The Jobgate authors
-- SPDX-License-Identifier: Apache-2.0

-- What happened, in order; nothing is ever changed here. Each hash covers the hash before it, so that no row can be changed, added or
-- taken away in between.
CREATE TABLE audit_entry (
  number INTEGER PRIMARY KEY,
  change INTEGER NOT NULL,
  job TEXT NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  hash TEXT NOT NULL
);
CREATE INDEX audit_entry_job ON audit_entry (job, number);

-- One row for each job, made of its entries.
CREATE TABLE audit_job (
  job TEXT PRIMARY KEY,
  grid_id TEXT NOT NULL UNIQUE,
  door TEXT NOT NULL,
  language TEXT NOT NULL,
  subject TEXT NOT NULL,
  account TEXT NOT NULL,
  client_id TEXT,
  lrm TEXT NOT NULL,
  created INTEGER NOT NULL,
  description TEXT,
  local_ids TEXT,
  queued INTEGER,
  started INTEGER,
  ended INTEGER,
  outcome TEXT,
  exit_code INTEGER,
  signal INTEGER,
  wall_ms INTEGER,
  fault TEXT,
  sentence TEXT,
  version TEXT NOT NULL
);
CREATE INDEX audit_job_subject ON audit_job (subject, created);
CREATE INDEX audit_job_created ON audit_job (created);

-- How far the change stream has been read, and where the chain begins.
CREATE TABLE audit_state (name TEXT PRIMARY KEY, value TEXT NOT NULL);

-- GRAM's audit table, under the names that it has had since Globus Toolkit 4.0.5.
CREATE VIEW gram_audit_table AS
SELECT
  grid_id AS job_grid_id,
  local_ids AS local_job_id,
  subject AS subject_name,
  account AS username,
  client_id AS idempotence_id,
  strftime('%Y-%m-%d %H:%M:%f', created / 1000.0, 'unixepoch') AS creation_time,
  strftime('%Y-%m-%d %H:%M:%f', queued / 1000.0, 'unixepoch') AS queued_time,
  NULL AS stage_in_grid_id,
  NULL AS stage_out_grid_id,
  NULL AS clean_up_grid_id,
  version AS globus_toolkit_version,
  lrm AS resource_manager_type,
  COALESCE(description, '') AS job_description,
  CASE WHEN outcome = 'DONE' THEN 'true' ELSE 'false' END AS success_flag,
  CASE WHEN outcome IS NULL THEN 'false' ELSE 'true' END AS finished_flag
FROM audit_job;
