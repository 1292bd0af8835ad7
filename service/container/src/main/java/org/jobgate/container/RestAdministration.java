// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.function.Supplier;
import org.jobgate.container.admin.AdminFault;
import org.jobgate.container.admin.AdminOverNetwork;
import org.jobgate.rest.api.Administration;

/** Gives the REST API what it shows to administrators of the gateway. */
final class RestAdministration implements Administration {

    private final AdminOverNetwork requests;

    RestAdministration(AdminOverNetwork requests) {
        this.requests = requireNonNull(requests, "requests is null");
    }

    @Override
    public Object look(String path, Map<String, String> parameters) {
        return told(() -> requests.look(path, parameters));
    }

    @Override
    public Object change(String who, String path, Map<String, String> parameters) {
        return told(() -> requests.change(who, path, parameters));
    }

    private static Object told(Supplier<Object> request) {
        try {
            return request.get();
        } catch (AdminFault e) {
            throw new Refused(e.status(), e.code(), String.valueOf(e.getMessage()), e.remedy());
        }
    }
}
