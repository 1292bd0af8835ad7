// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/** Has every look-up of a name in this process heed {@link HeldNames}. Java finds it by its name in {@code META-INF/services}. */
public final class HeldNamesProvider extends InetAddressResolverProvider {

    /** For Java. */
    public HeldNamesProvider() {}

    @Override
    public InetAddressResolver get(Configuration configuration) {
        return above(configuration.builtinResolver());
    }

    static InetAddressResolver above(InetAddressResolver real) {
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                return HeldNames.ofThisProcess()
                        .lookUp(host, name -> real.lookupByName(name, policy).toList())
                        .stream();
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return real.lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return "Jobgate, which keeps a name's addresses between check and connection";
    }
}
