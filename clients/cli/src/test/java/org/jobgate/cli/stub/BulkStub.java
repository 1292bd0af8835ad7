// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.stub;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;
import org.jobgate.cli.wire.XmlText;

/** The operations on many jobs as the service has them: a job with a variable BAD is refused; lists come in pages of two. */
final class BulkStub {
    static final String NAMESPACE = "https://jobgate.org/ns/2026/jobs/gt40";

    private static final int PAGE = 2;

    private final String contact;
    private final List<String> ids = new ArrayList<>();

    BulkStub(String contact) {
        this.contact = contact;
    }

    synchronized String answer(XmlElement operation) {
        StringBuilder out = new StringBuilder("<s:Envelope xmlns:s=\"" + Names.SOAP + "\" xmlns:w=\"" + Names.WSA
                + "\"><s:Body><" + operation.name() + "Response xmlns=\"" + NAMESPACE + "\">");
        if (operation.name().equals("createManagedJobs")) {
            operation.children().stream()
                    .filter(child -> child.name().equals("instance"))
                    .forEach(instance -> create(out, instance));
        } else {
            list(out, operation);
        }
        return out.append("</" + operation.name() + "Response></s:Body></s:Envelope>")
                .toString();
    }

    private void create(StringBuilder out, XmlElement instance) {
        String id = String.valueOf(instance.childText(NAMESPACE, "JobID"));
        boolean isBad = instance.children().stream().anyMatch(child -> "BAD".equals(child.attribute("", "name")));
        out.append("<result>").append(element("JobID", id));
        if (isBad) {
            out.append("<fault/>").append(element("explain", "The element executable is wrong. Mend it."));
        } else {
            if (!ids.contains(id)) {
                ids.add(id);
            }
            out.append(endpoint(ids.indexOf(id)));
        }
        out.append("</result>");
    }

    private void list(StringBuilder out, XmlElement operation) {
        String cursor = operation.childText(NAMESPACE, "cursor");
        int first = cursor == null ? 0 : Integer.parseInt(cursor);
        for (int i = first; i < Math.min(first + PAGE, ids.size()); i++) {
            out.append("<job>").append(element("JobID", ids.get(i))).append(element("localResourceManager", "Fork"));
            out.append(element("state", "Failed")).append(element("submissionTime", "2026-11-20T14:00:00.000Z"));
            out.append(element("explain", "It broke.")).append(endpoint(i)).append("</job>");
        }
        if (first + PAGE < ids.size()) {
            out.append(element("nextCursor", Integer.toString(first + PAGE)));
        }
    }

    private String endpoint(int number) {
        return "<managedJobEndpoint><w:Address>https://" + contact + "/wsrf/services/ManagedExecutableJobService"
                + "</w:Address><w:ReferenceProperties><ResourceID xmlns=\"" + Names.JOB + "\">job-" + number
                + "</ResourceID></w:ReferenceProperties></managedJobEndpoint>";
    }

    private static String element(String name, String text) {
        return "<" + name + ">" + XmlText.escaped(text) + "</" + name + ">";
    }
}
