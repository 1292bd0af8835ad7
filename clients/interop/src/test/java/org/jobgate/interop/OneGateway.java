// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands all tests the same gateway; JUnit closes it after the last of them. */
final class OneGateway implements ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(OneGateway.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Gateway.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE).computeIfAbsent(Gateway.class, key -> started(), Gateway.class);
    }

    private static Gateway started() {
        try {
            return Gateway.startWith("""
                    fileTrees: [ { name: area, path: "@directory@/area", writable: true } ]
                    arc: { runtimeEnvironments: "@directory@/environments" }
                    """);
        } catch (IOException e) {
            throw new UncheckedIOException("the gateway did not start: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the gateway was started", e);
        }
    }
}
