// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import org.jobgate.job.CredentialUse;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Delegated credentials were stored by the element of GRAM's job description language that named them, each as one text: the address of
 * the delegation service, a question mark, the key. They are values of their own now.
 */
final class NamedCredentialsMigration extends DescriptionMigration {

    private static final String CREDENTIALS = "credentials";

    private static final Map<String, CredentialUse> USES = Map.of(
            "jobCredentialEndpoint", CredentialUse.JOB,
            "stagingCredentialEndpoint", CredentialUse.FILES,
            "fileStageIn", CredentialUse.STAGE_IN,
            "fileStageOut", CredentialUse.STAGE_OUT,
            "fileCleanUp", CredentialUse.CLEAN_UP);

    NamedCredentialsMigration() {
        super(6, "named credentials", List.of(CREDENTIALS));
    }

    @Override
    void rewrite(ObjectNode job) {
        if (!(job.get(CREDENTIALS) instanceof ObjectNode older)) {
            return;
        }
        ArrayNode named = job.putArray(CREDENTIALS);
        older.forEachEntry((element, reference) -> {
            String text = reference.asString();
            int mark = text.lastIndexOf('?');
            CredentialUse use = requireNonNull(USES.get(element), () -> "no build stored a credential for " + element);
            ObjectNode credential = named.addObject();
            credential.put("use", use.name());
            credential.put("key", text.substring(mark + 1));
            if (mark >= 0) {
                credential.put("address", text.substring(0, mark));
            }
        });
    }
}
