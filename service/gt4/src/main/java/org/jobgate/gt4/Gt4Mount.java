// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import java.util.List;
import org.jobgate.soap.Dialect;
import org.jobgate.soap.SoapLimits;
import org.jobgate.soap.SoapMount;
import org.jobgate.soap.SoapService;

/** Where the services of GT4 are: all doors of that family share one root, as in GT4's container. */
public final class Gt4Mount {

    /** The path that all services are below. */
    public static final String ROOT = "/wsrf/services";

    private Gt4Mount() {}

    /**
     * What the public addresses of services begin with.
     *
     * @param doorUrl scheme, name and port by which clients reach the door
     */
    public static String baseUrl(String doorUrl) {
        return doorUrl + ROOT;
    }

    /**
     * The services of one door.
     *
     * @param owner a class beside whose resources their descriptions lie
     * @param wsdlFolder of the descriptions, absolute, with a slash at the end
     */
    public static SoapMount of(
            String doorUrl,
            SoapLimits limits,
            Dialect dialect,
            Class<?> owner,
            String wsdlFolder,
            List<SoapService> services) {
        String baseUrl = baseUrl(doorUrl);
        return new SoapMount(
                ROOT, baseUrl, limits, dialect, new WsdlDocuments(baseUrl, owner, wsdlFolder)::find, services);
    }
}
