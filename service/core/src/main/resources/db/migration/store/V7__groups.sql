-- SPDX-FileCopyrightText: 2026 The Jobgate authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Groups of jobs: arrays and sweeps. A group has one small row that holds how many of its elements stand how, and one tiny row for each
-- element; an element becomes a job of the table job when its turn comes.
CREATE TABLE job_group (
    id             ${bytes} NOT NULL PRIMARY KEY,
    subject        ${key}   NOT NULL,
    door           ${key}   NOT NULL,
    client_key     ${key}   NOT NULL,
    digest         ${bytes} NOT NULL,
    language       ${key}   NOT NULL,
    account        ${key}   NOT NULL,
    lrm            ${key}   NOT NULL,
    version        BIGINT   NOT NULL,
    first_index    BIGINT   NOT NULL,
    index_step     BIGINT   NOT NULL,
    elements       BIGINT   NOT NULL,
    max_running    BIGINT   NOT NULL,
    next_place     BIGINT   NOT NULL,
    counts         TEXT     NOT NULL,
    created        BIGINT   NOT NULL,
    changed        BIGINT   NOT NULL,
    ended          BIGINT,
    destroyed      BOOLEAN  NOT NULL,
    keep_after_end BIGINT
) ${hotStorage};

CREATE UNIQUE INDEX job_group_by_key ON job_group (subject, door, client_key);
CREATE INDEX job_group_by_subject ON job_group (subject, id);
CREATE INDEX job_group_by_ended ON job_group (ended) WHERE ended IS NOT NULL;
CREATE INDEX job_group_live ON job_group (id) WHERE ended IS NULL;

-- What the elements ask for; never changed.
CREATE TABLE job_group_template (
    job_group   ${bytes} NOT NULL PRIMARY KEY,
    description TEXT     NOT NULL,
    item_values TEXT
) ${rowStorage};

-- state: WAITING, LIVE (as its job is), DONE, FAILED, CANCELLED.
CREATE TABLE group_element (
    job_group ${bytes} NOT NULL,
    place     BIGINT   NOT NULL,
    attempt   BIGINT   NOT NULL,
    state     TEXT     NOT NULL,
    job       ${bytes},
    fault     TEXT,
    PRIMARY KEY (job_group, place)
) ${rowStorage};
