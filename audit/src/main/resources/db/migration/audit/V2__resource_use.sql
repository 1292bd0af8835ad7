-- SPDX-FileCopyrightText: 2026 The Jobgate authors
-- SPDX-License-Identifier: Apache-2.0

-- What a job used in its LRM, and who measured it: the LRM, or the job itself.
ALTER TABLE audit_job ADD COLUMN cpu_ms INTEGER;
ALTER TABLE audit_job ADD COLUMN user_cpu_ms INTEGER;
ALTER TABLE audit_job ADD COLUMN system_cpu_ms INTEGER;
ALTER TABLE audit_job ADD COLUMN peak_memory_kib INTEGER;
ALTER TABLE audit_job ADD COLUMN slots INTEGER;
ALTER TABLE audit_job ADD COLUMN hosts TEXT;
ALTER TABLE audit_job ADD COLUMN queue TEXT;
ALTER TABLE audit_job ADD COLUMN measured_by TEXT;

-- All that sums of usage need, so that rows with their descriptions are not read for them.
CREATE INDEX audit_job_usage ON audit_job (ended, subject, account, lrm, queue, outcome, fault, slots, wall_ms, cpu_ms) WHERE ended IS NOT NULL;

-- those whose LRM is still to be asked
CREATE INDEX audit_job_measured ON audit_job (ended) WHERE measured_by = 'JOB';
