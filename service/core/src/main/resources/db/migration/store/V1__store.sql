-- SPDX-FileCopyrightText: 2026 The Jobgate authors
-- SPDX-License-Identifier: Apache-2.0
--
-- One text for both databases. What differs is filled in: bytes, key (texts that sort by their bytes), rowStorage (for rows found by their key), hotStorage (for rows that
-- are changed often). Times are microseconds since 1970 UTC; ids are the 16 bytes of the UUID, which sort by age.

-- Jobs that are not over: small, changed often.
CREATE TABLE job (
    id               ${bytes} NOT NULL PRIMARY KEY,
    subject          ${key}     NOT NULL,
    client_key       ${key}     NOT NULL,
    account          ${key}     NOT NULL,
    lrm              ${key}     NOT NULL,
    created          BIGINT   NOT NULL,
    version          BIGINT   NOT NULL,
    state            TEXT     NOT NULL,
    input_ready      BOOLEAN  NOT NULL,
    hold_at          TEXT,
    holding          BOOLEAN  NOT NULL,
    local_ids        TEXT,
    submit_tried     BOOLEAN  NOT NULL,
    changed          BIGINT   NOT NULL,
    queued           BIGINT,
    started          BIGINT,
    ended            BIGINT,
    termination_time BIGINT,
    ending           TEXT,
    doubt_since      BIGINT,
    doubt_because    TEXT,
    destroyed        BOOLEAN  NOT NULL
) ${hotStorage};

CREATE INDEX job_by_subject ON job (subject, id);
CREATE INDEX job_by_lrm ON job (lrm, account, id);
CREATE INDEX job_by_termination ON job (termination_time) WHERE termination_time IS NOT NULL;

-- Jobs that are over, until they are purged. The same columns.
CREATE TABLE finished_job (
    id               ${bytes} NOT NULL PRIMARY KEY,
    subject          ${key}     NOT NULL,
    client_key       ${key}     NOT NULL,
    account          ${key}     NOT NULL,
    lrm              ${key}     NOT NULL,
    created          BIGINT   NOT NULL,
    version          BIGINT   NOT NULL,
    state            TEXT     NOT NULL,
    input_ready      BOOLEAN  NOT NULL,
    hold_at          TEXT,
    holding          BOOLEAN  NOT NULL,
    local_ids        TEXT,
    submit_tried     BOOLEAN  NOT NULL,
    changed          BIGINT   NOT NULL,
    queued           BIGINT,
    started          BIGINT,
    ended            BIGINT   NOT NULL,
    termination_time BIGINT,
    ending           TEXT,
    doubt_since      BIGINT,
    doubt_because    TEXT,
    destroyed        BOOLEAN  NOT NULL
) ${rowStorage};

CREATE INDEX finished_job_by_subject ON finished_job (subject, id);
CREATE INDEX finished_job_by_ended ON finished_job (ended);
CREATE INDEX finished_job_by_termination ON finished_job (termination_time) WHERE termination_time IS NOT NULL;

-- Which job a key names, and what was asked for: kept as long as the job is.
CREATE TABLE submission (
    subject    ${key}     NOT NULL,
    client_key ${key}     NOT NULL,
    job        ${bytes} NOT NULL,
    digest     ${bytes} NOT NULL,
    PRIMARY KEY (subject, client_key)
) ${rowStorage};

CREATE TABLE job_description (
    job  ${bytes} NOT NULL PRIMARY KEY,
    body TEXT     NOT NULL
) ${rowStorage};

-- The change stream. The one writer gives the numbers, so that the order of commits is the order of the numbers.
CREATE TABLE change (
    sequence   BIGINT   NOT NULL PRIMARY KEY,
    job        ${bytes} NOT NULL,
    version    BIGINT   NOT NULL,
    at         BIGINT   NOT NULL,
    event      TEXT,
    from_state TEXT,
    to_state   TEXT     NOT NULL,
    holding    BOOLEAN  NOT NULL,
    note       TEXT
) ${rowStorage};

CREATE INDEX change_by_job ON change (job, sequence);

CREATE TABLE reader_cursor (
    name     ${key}   NOT NULL PRIMARY KEY,
    sequence BIGINT NOT NULL
) ${rowStorage};

CREATE TABLE door_record (
    kind    ${key}   NOT NULL,
    id      ${key}   NOT NULL,
    job     ${bytes},
    owner   TEXT,
    body    TEXT   NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (kind, id)
) ${rowStorage};

CREATE INDEX door_record_by_job ON door_record (job, kind) WHERE job IS NOT NULL;

-- Numbers of the store itself: probe (written and read back), purged (the newest change that a purge may have removed).
CREATE TABLE store_number (
    name   ${key}   NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL
) ${rowStorage};
