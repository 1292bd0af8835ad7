-- SPDX-FileCopyrightText: 2026 The Jobgate authors
-- SPDX-License-Identifier: Apache-2.0
--
-- What the owner of a job has asked of its LRM, and the LRM has not confirmed yet: SUSPEND or RESUME.
ALTER TABLE job ADD COLUMN suspend_wish TEXT;
ALTER TABLE finished_job ADD COLUMN suspend_wish TEXT;
CREATE INDEX job_by_suspend_wish ON job (id) WHERE suspend_wish IS NOT NULL;
