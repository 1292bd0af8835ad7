-- SPDX-FileCopyrightText: 2026 The Jobgate authors
-- SPDX-License-Identifier: Apache-2.0
--
-- How many seconds a job is kept from its end on, where it has no termination time of its own then; absent: no such rule.
ALTER TABLE job ADD COLUMN keep_after_end BIGINT;
ALTER TABLE finished_job ADD COLUMN keep_after_end BIGINT;
