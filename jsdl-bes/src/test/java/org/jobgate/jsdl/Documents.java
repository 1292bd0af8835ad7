// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Map;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.xml.XmlLimits;

/** Documents for tests, of their inner parts only. */
final class Documents {

    static final FileSystems FILE_SYSTEMS = new FileSystems(Map.of(
            "HOME", "/home/alice", "TMP", "/tmp", "SCRATCH", "/scratch/alice", "ROOT", "/", "data", "/srv/data"));

    private static final String ATTRIBUTES = " xmlns='" + Names.JSDL + "' xmlns:p='" + Names.POSIX + "' xmlns:h='"
            + Names.HPCPA + "' xmlns:m='" + Names.SPMD + "' xmlns:s='" + Names.SWEEP + "' xmlns:f='" + Names.FUNCTIONS
            + "' xmlns:a='" + Names.CREDENTIAL + "' xmlns:w='" + Names.WSSE + "' xmlns:jg='" + Names.OWN + "'";

    private Documents() {}

    static JsdlReader reader() {
        return new JsdlReader(XmlLimits.defaults());
    }

    static JsdlSite site() {
        return site(LrmCapabilities.UNKNOWN);
    }

    static JsdlSite site(LrmCapabilities capabilities) {
        return new JsdlSite(FILE_SYSTEMS, capabilities, false);
    }

    /** A document of these children of JobDescription, and what stands beside that. */
    static String definition(String description, String beside) {
        return "<JobDefinition" + ATTRIBUTES + "><JobDescription>" + description + "</JobDescription>" + beside
                + "</JobDefinition>";
    }

    /** A document of a POSIXApplication with these parts beside its Executable, and these parts behind the Application. */
    static String posix(String parts, String behind) {
        return definition(
                "<Application><p:POSIXApplication><p:Executable>/bin/date</p:Executable>" + parts
                        + "</p:POSIXApplication></Application>" + behind,
                "");
    }

    /** The same with Resources. */
    static String resources(String parts) {
        return posix("", "<Resources>" + parts + "</Resources>");
    }

    /** The same with one DataStaging. */
    static String staging(String parts) {
        return posix("", "<DataStaging>" + parts + "</DataStaging>");
    }

    /** A document of an SPMDApplication with these parts, and these Resources. */
    static String spmd(String parts, String resources) {
        return definition(
                "<Application><m:SPMDApplication><p:Executable>/bin/date</p:Executable>" + parts
                        + "</m:SPMDApplication></Application>"
                        + (resources.isEmpty() ? "" : "<Resources>" + resources + "</Resources>"),
                "");
    }

    static JobDescription read(String document) {
        return read(document, site());
    }

    static JobDescription read(String document, JsdlSite site) {
        return reader().read(document).job(site).description();
    }

    /** Why the document is refused. */
    static Fault refusal(String document) {
        return refusal(document, site());
    }

    static Fault refusal(String document, JsdlSite site) {
        return catchThrowableOfType(FaultException.class, () -> read(document, site))
                .fault();
    }
}
