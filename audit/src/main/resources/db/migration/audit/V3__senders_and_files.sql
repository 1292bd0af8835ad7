-- SPDX-FileCopyrightText: 2026 The Jobgate authors
-- SPDX-License-Identifier: Apache-2.0

-- Who sent a job, as it was proven when the job was submitted, and why that was allowed.
ALTER TABLE audit_job ADD COLUMN method TEXT;
ALTER TABLE audit_job ADD COLUMN issuer TEXT;
ALTER TABLE audit_job ADD COLUMN vo TEXT;
ALTER TABLE audit_job ADD COLUMN fqans TEXT;
ALTER TABLE audit_job ADD COLUMN scopes TEXT;
ALTER TABLE audit_job ADD COLUMN permitted_because TEXT;

-- When its files began to be fetched, sent and removed, and what was moved.
ALTER TABLE audit_job ADD COLUMN stage_in INTEGER;
ALTER TABLE audit_job ADD COLUMN stage_out INTEGER;
ALTER TABLE audit_job ADD COLUMN clean_up INTEGER;
ALTER TABLE audit_job ADD COLUMN files_in INTEGER;
ALTER TABLE audit_job ADD COLUMN bytes_in INTEGER;
ALTER TABLE audit_job ADD COLUMN files_out INTEGER;
ALTER TABLE audit_job ADD COLUMN bytes_out INTEGER;
ALTER TABLE audit_job ADD COLUMN transfer_attempts INTEGER;
ALTER TABLE audit_job ADD COLUMN transfer_failures INTEGER;

DROP INDEX audit_job_usage;
CREATE INDEX audit_job_usage ON audit_job (ended, subject, account, lrm, queue, outcome, fault, slots, wall_ms, cpu_ms, vo, fqans)
  WHERE ended IS NOT NULL;

-- What administrators have done, in the order in which it was done.
CREATE INDEX audit_entry_act ON audit_entry (number) WHERE kind = 'ACT';
