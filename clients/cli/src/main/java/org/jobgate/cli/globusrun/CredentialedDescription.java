// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlText;
import org.jspecify.annotations.Nullable;

/**
 * A qualified job description, as {@link JobDescriptionFile} makes it, into which credentials are written. In a multiJob the job's
 * credential is also that of each sub job, and its files' credentials are left alone (facts/gram4.md section 4.2).
 */
final class CredentialedDescription {
    private static final String PREFIX = "(?:[A-Za-z_][A-Za-z0-9_.-]*:)?";

    /** The place behind which the schema wants a job's credentials. */
    private static final Pattern JOB_START = Pattern.compile(
            "<" + PREFIX + "(?:job|multiJob)(?: [^>]*)?>(?:\\s*<" + PREFIX + "factoryEndpoint[ >].*?</" + PREFIX
                    + "factoryEndpoint>)?",
            Pattern.DOTALL);

    private static final Pattern STAGING_START =
            Pattern.compile("<" + PREFIX + "(?:fileStageIn|fileStageOut|fileCleanUp)(?: [^>]*)?>");

    private static final Pattern JSDL_STAGING =
            Pattern.compile("<" + PREFIX + "JobDefinition[ >].*<" + PREFIX + "DataStaging[ >]", Pattern.DOTALL);

    private final String description;

    CredentialedDescription(String description) {
        this.description = description;
    }

    boolean isStaging() {
        return STAGING_START.matcher(description).find() || isStagingOfJsdl();
    }

    /** Its files can have no credential of their own: theirs is the job's one for files. */
    private boolean isStagingOfJsdl() {
        return JSDL_STAGING.matcher(description).find();
    }

    boolean namesJobCredential() {
        return names("jobCredentialEndpoint");
    }

    boolean namesStagingCredential() {
        return names("stagingCredentialEndpoint");
    }

    private boolean isMulti() {
        return Pattern.compile("\\A<" + PREFIX + "multiJob[ >]")
                .matcher(description)
                .find();
    }

    private boolean names(String element) {
        return Pattern.compile("<" + PREFIX + element + "[ />]")
                .matcher(description)
                .find();
    }

    /** The description that names these credentials; absent ones are left out. */
    String with(@Nullable Epr forJob, @Nullable Epr forStaging, @Nullable Epr forTransfers) {
        Epr forFiles = forStaging == null && isStagingOfJsdl() ? forTransfers : forStaging;
        String ofJob = element(Names.DESCRIPTION, "jobCredentialEndpoint", forJob)
                + element(Names.DESCRIPTION, "stagingCredentialEndpoint", isMulti() ? null : forFiles);
        String inJobs = behindEach(JOB_START, description, ofJob);
        return isMulti()
                ? inJobs
                : behindEach(STAGING_START, inJobs, element(Names.RFT, "transferCredentialEndpoint", forTransfers));
    }

    private static String behindEach(Pattern start, String text, String added) {
        if (added.isEmpty()) {
            return text;
        }
        Matcher matcher = start.matcher(text);
        return matcher.replaceAll(found -> Matcher.quoteReplacement(found.group() + added));
    }

    private static String element(String namespace, String name, @Nullable Epr credential) {
        if (credential == null) {
            return "";
        }
        StringBuilder out = new StringBuilder(400);
        out.append('<').append(name).append(" xmlns=\"").append(namespace).append("\"><Address xmlns=\"");
        out.append(Names.WSA).append("\">");
        XmlText.append(out, credential.address());
        out.append("</Address><ReferenceProperties xmlns=\"").append(Names.WSA).append("\">");
        credential.properties().forEach(property -> property.write(out, ""));
        return out.append("</ReferenceProperties></").append(name).append('>').toString();
    }
}
