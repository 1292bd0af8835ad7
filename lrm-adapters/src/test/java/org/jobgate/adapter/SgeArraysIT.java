// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.job.Extension;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Job arrays of a real Grid Engine. */
class SgeArraysIT extends ArraysContract {

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        SgeLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        SgeLab.tidy();
    }

    @Override
    LrmSettings settings(@Nullable Path bin) {
        Map<String, String> changed = new HashMap<>(Map.of("array_size", "100"));
        if (bin != null) {
            changed.put("sge_bin", bin.toString());
        }
        return SgeLab.settings(changed);
    }

    @Override
    String account() {
        return SgeLab.ACCOUNT;
    }

    @Override
    Path submits() {
        return SgeLab.BIN.resolve("qsub");
    }

    @Override
    List<String> otherCommands() {
        return List.of("qstat", "qdel", "qacct", "qconf", "qselect");
    }

    @Override
    String mark() {
        return ".";
    }

    @Override
    Map.Entry<String, String> number() {
        return Map.entry("SGE_TASK_ID", "undefined");
    }

    @Override
    Extension waits() {
        return new Extension("sgesubmit", Map.of("name", "h"), "", List.of());
    }

    @Override
    String noAnswer() {
        return "error: commlib error: got read error (closing qmaster connection)";
    }
}
