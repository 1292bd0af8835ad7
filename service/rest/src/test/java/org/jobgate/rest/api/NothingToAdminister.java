// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.util.Map;

/** For tests of what is not for administrators. */
final class NothingToAdminister implements Administration {

    @Override
    public Object look(String path, Map<String, String> parameters) {
        throw new Refused(404, "NOT_FOUND", "There is nothing to administer.", "Look elsewhere.");
    }

    @Override
    public Object change(String who, String path, Map<String, String> parameters) {
        return look(path, parameters);
    }
}
