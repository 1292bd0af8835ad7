// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** The commands {@code srm-*} and others of ours, and curl, as the user of a gateway. */
record SrmPrograms(Gateway gateway) {

    /** What the commands end with where the service has refused. */
    static final int REFUSED = 252;

    /** The SURL of a path, that of the tree included. */
    String url(String path) {
        return "srm://localhost:" + gateway.port() + "/srm/v2/server?SFN=" + path;
    }

    /** Runs a command of {@code bin/}. */
    Programs.Result run(String command, String... words) throws Exception {
        List<String> all = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/" + command).toString()));
        all.addAll(List.of(words));
        return gateway.clients().run(all);
    }

    /** What a command says that ends well. */
    String good(String command, String... words) throws Exception {
        Programs.Result result = run(command, words);
        assertThat(result.status()).as(command + ": " + result.output()).isZero();
        return result.output();
    }

    /** Runs a command that the service refuses with this code or these words. */
    void refused(String code, String command, String... words) throws Exception {
        Programs.Result result = run(command, words);
        assertThat(result.status()).as(command + ": " + result.output()).isEqualTo(REFUSED);
        assertThat(result.output()).contains(code);
    }

    /** A command line of curl that shows the user's proxy. */
    List<String> curl(String... words) {
        List<String> all = new ArrayList<>(List.of(
                "curl",
                "-sS",
                "--cert",
                gateway.proxy().toString(),
                "--key",
                gateway.proxy().toString(),
                "--capath",
                gateway.trustDirectory().toString()));
        all.addAll(List.of(words));
        return all;
    }
}
