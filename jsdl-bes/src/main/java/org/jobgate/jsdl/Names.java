// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.Map;
import javax.xml.namespace.QName;

/** The namespaces of the language (facts/bes-jsdl.md section 2), each with the prefix by which paths and written documents call it. */
final class Names {

    static final String JSDL = "http://schemas.ggf.org/jsdl/2005/11/jsdl";
    static final String POSIX = "http://schemas.ggf.org/jsdl/2005/11/jsdl-posix";
    static final String HPCPA = "http://schemas.ggf.org/jsdl/2006/07/jsdl-hpcpa";
    static final String SPMD = "http://schemas.ogf.org/jsdl/2007/02/jsdl-spmd";
    static final String SWEEP = "http://schemas.ogf.org/jsdl/2009/03/sweep";
    static final String FUNCTIONS = "http://schemas.ogf.org/jsdl/2009/03/sweep/functions";
    static final String FILE_SWEEP = "http://schemas.ogf.org/jsdl/2009/03/file-sweep";
    static final String CREDENTIAL = "http://schemas.ogf.org/hpcp/2007/11/ac";
    static final String WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    /** What jobs can ask for here that the language has no word for. */
    static final String OWN = "https://jobgate.org/ns/2026/jsdl";

    private static final Map<String, String> PREFIXES = Map.of(
            JSDL, "jsdl",
            POSIX, "jsdl-posix",
            HPCPA, "jsdl-hpcpa",
            SPMD, "jsdl-spmd",
            SWEEP, "sweep",
            FUNCTIONS, "sweepfunc",
            FILE_SWEEP, "file-sweep",
            CREDENTIAL, "ac",
            WSSE, "wsse",
            OWN, "jg");

    private Names() {}

    static QName of(String namespace, String local) {
        return new QName(namespace, local, PREFIXES.getOrDefault(namespace, ""));
    }

    static QName jsdl(String local) {
        return of(JSDL, local);
    }

    static QName own(String local) {
        return of(OWN, local);
    }

    static boolean isServed(String namespace) {
        return PREFIXES.containsKey(namespace);
    }

    /** As paths show it: {@code jsdl:JobName}; with the namespace in braces where that is none of ours. */
    static String shown(QName name) {
        String prefix = PREFIXES.get(name.getNamespaceURI());
        if (prefix != null) {
            return prefix + ":" + name.getLocalPart();
        }
        return name.getNamespaceURI().isEmpty()
                ? name.getLocalPart()
                : "{" + name.getNamespaceURI() + "}" + name.getLocalPart();
    }
}
