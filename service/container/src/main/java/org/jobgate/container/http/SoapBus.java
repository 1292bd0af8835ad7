// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.util.HashMap;
import java.util.Map;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.extension.ExtensionManagerBus;
import org.apache.cxf.staxutils.StaxUtils;
import org.apache.cxf.ws.policy.PolicyEngine;

/**
 * The CXF bus on which front doors publish, set up without Spring. What its parser takes is bounded: no document type definitions
 * (CXF refuses them by itself), and limits on depth, breadth and lengths that are far above what a request of GRAM4 needs.
 */
public final class SoapBus {

    private static final long MAX_DEPTH = 100;
    private static final long MAX_CHILDREN = 50_000;
    private static final long MAX_ELEMENTS = 200_000;
    private static final long MAX_ATTRIBUTES = 200;
    private static final long MAX_ATTRIBUTE_BYTES = 65_536;

    private SoapBus() {}

    /** A new bus; the caller shuts it down. */
    public static Bus create(long maxTextBytes) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(StaxUtils.MAX_ELEMENT_DEPTH, MAX_DEPTH);
        properties.put(StaxUtils.MAX_CHILD_ELEMENTS, MAX_CHILDREN);
        properties.put(StaxUtils.MAX_ELEMENT_COUNT, MAX_ELEMENTS);
        properties.put(StaxUtils.MAX_ATTRIBUTE_COUNT, MAX_ATTRIBUTES);
        properties.put(StaxUtils.MAX_ATTRIBUTE_SIZE, MAX_ATTRIBUTE_BYTES);
        properties.put(StaxUtils.MAX_TEXT_LENGTH, maxTextBytes);
        // an exception's text may name files of this machine
        properties.put("exceptionMessageCauseEnabled", false);
        properties.put("faultStackTraceEnabled", false);
        Bus bus = new ExtensionManagerBus(new HashMap<>(), properties);
        // no service has a WS-Policy; to find that out for each message took one twentieth of a query's time
        bus.getExtension(PolicyEngine.class).setEnabled(false);
        // without one, CXF's servlet asks each request's class loader for the resource "", through every archive
        bus.setExtension(SoapBus.class.getClassLoader(), ClassLoader.class);
        return bus;
    }
}
