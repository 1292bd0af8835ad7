// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.xml.namespace.QName;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.gt4.Gt4Mount;
import org.jobgate.soap.Dialect;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapLimits;
import org.jobgate.soap.SoapMount;
import org.jobgate.soap.SoapService;
import org.jobgate.xml.XmlLimits;

/** A door whose SOAP services say who the caller is, and what was delegated on the connection: {@code WhoAmI} at once, {@code Slow} when it may. */
final class WhoDoor implements FrontDoor {

    private final Mount mount;

    /** @param mayAnswer what the slow service waits for */
    WhoDoor(JobgateConfig config, CountDownLatch mayAnswer) {
        this.mount = new SoapMount(
                Gt4Mount.ROOT,
                "https://localhost" + Gt4Mount.ROOT,
                new SoapLimits(config.bodyBytes(name()), XmlLimits.defaults()),
                Dialect.PLAIN,
                query -> Optional.empty(),
                List.of(new Who("WhoAmI", new CountDownLatch(0)), new Who("Slow", mayAnswer)));
    }

    private record Who(String name, CountDownLatch mayAnswer) implements SoapService {
        @Override
        public Reply answer(SoapCall call) {
            try {
                mayAnswer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            String delegated = call.delegated() == null ? "" : " delegated " + call.delegated();
            return new Reply("urn:who", out -> out.element(new QName("who"), call.identity() + delegated));
        }
    }

    @Override
    public String name() {
        return "who";
    }

    @Override
    public List<Mount> mounts() {
        return List.of(mount);
    }
}
