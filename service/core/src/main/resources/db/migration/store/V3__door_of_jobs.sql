-- SPDX-FileCopyrightText: 2026 The Jobgate authors
-- SPDX-License-Identifier: Apache-2.0
--
-- The door that a job came by, and the language in which it was described there. All jobs that are here already came by GRAM, in its
-- job description language.
ALTER TABLE job ADD COLUMN door ${key} NOT NULL DEFAULT 'gram';
ALTER TABLE job ADD COLUMN language ${key} NOT NULL DEFAULT 'jdd';
ALTER TABLE finished_job ADD COLUMN door ${key} NOT NULL DEFAULT 'gram';
ALTER TABLE finished_job ADD COLUMN language ${key} NOT NULL DEFAULT 'jdd';

-- The ids that clients choose are kept apart by door. SQLite cannot change a primary key, so the table is made anew.
CREATE TABLE submission_by_door (
    subject    ${key}   NOT NULL,
    door       ${key}   NOT NULL,
    client_key ${key}   NOT NULL,
    job        ${bytes} NOT NULL,
    digest     ${bytes} NOT NULL,
    CONSTRAINT submission_key PRIMARY KEY (subject, door, client_key)
) ${rowStorage};

INSERT INTO submission_by_door (subject, door, client_key, job, digest)
    SELECT subject, 'gram', client_key, job, digest FROM submission;
DROP TABLE submission;
ALTER TABLE submission_by_door RENAME TO submission;
