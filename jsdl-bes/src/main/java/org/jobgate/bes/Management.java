// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.util.Set;
import org.jobgate.access.Caller;
import org.jobgate.soap.SoapCall;
import org.jobgate.xml.XmlContent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops and starts the acceptance of new activities, for administrators: the gateway's one switch, at all its doors. */
final class Management {

    private static final Logger LOG = LoggerFactory.getLogger(Management.class);

    private final Acceptance acceptance;
    private final Set<String> administrators;

    Management(Acceptance acceptance, Set<String> administrators) {
        this.acceptance = acceptance;
        this.administrators = administrators;
    }

    XmlContent stop(Caller caller, SoapCall call) {
        String who = administrator(caller);
        LOG.info("{} stops the acceptance of new jobs", who);
        caller.hasAdministered("BES StopAcceptingNewActivities");
        acceptance.stop();
        return out -> out.empty(BesNames.management("StopAcceptingNewActivitiesResponse"));
    }

    XmlContent start(Caller caller, SoapCall call) {
        String who = administrator(caller);
        LOG.info("{} starts the acceptance of new jobs", who);
        caller.hasAdministered("BES StartAcceptingNewActivities");
        acceptance.start();
        return out -> out.empty(BesNames.management("StartAcceptingNewActivitiesResponse"));
    }

    private String administrator(Caller caller) {
        return caller.requireAdministrator(
                "bes.administrators", administrators, "stop or start the acceptance of new activities");
    }
}
