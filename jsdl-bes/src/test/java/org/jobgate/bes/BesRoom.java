// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.jobgate.door.DoorContexts;
import org.jobgate.door.DoorHost;
import org.jobgate.engine.EngineSettings;
import org.jobgate.engine.FakeLrm;
import org.jobgate.engine.JobEngine;
import org.jobgate.jsdl.FileSystems;
import org.jobgate.jsdl.JsdlLanguage;
import org.jobgate.language.JobLanguage;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.soap.Answer;
import org.jobgate.soap.MessageGuards;
import org.jobgate.soap.SoapMount;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.xml.XmlLimits;

/** The door before a real engine and store, whose one LRM does what a test says. */
final class BesRoom implements AutoCloseable {

    static final String ALICE = "/O=Test/CN=Alice";
    static final String BOB = "/O=Test/CN=Bob";
    static final String ADMIN = "/O=Test/CN=Administrator";

    final FakeLrm lrm = new FakeLrm("Fork");
    final JobEngine engine;
    final CountedCalls calls;
    private final JobStore store;
    private final DoorHost host;

    BesRoom(Path directory) throws Exception {
        this(directory, new TestJsdl());
    }

    BesRoom(Path directory, JobLanguage language) throws Exception {
        store = TestStores.sqlite(directory);
        engine = new JobEngine(
                store,
                List.of(lrm),
                null,
                null,
                JobLimits.defaults(),
                EngineSettings.defaults(),
                Clock.systemUTC(),
                new Random(1),
                Interlude.none());
        engine.start();
        calls = new CountedCalls(engine);
        host = new DoorHost();
        BesSettings defaults = BesSettings.defaults();
        BesSettings settings = new BesSettings(
                Set.of(ADMIN),
                defaults.identifiers(),
                defaults.references(),
                defaults.points(),
                defaults.jobs(),
                defaults.xml());
        BesDoor door = new BesDoor(
                settings,
                DoorContexts.at(host.url()).jobs(calls.engine()).store(store).make(),
                language,
                acceptance());
        host.start(door, mount -> {
            Bus bus = new CXFBusFactory().createBus();
            ((SoapMount) mount).publish(bus, MessageGuards.NONE);
            CXFNonSpringServlet servlet = new CXFNonSpringServlet();
            servlet.setBus(bus);
            return servlet;
        });
    }

    /** JSDL as gateways have it, in front of LRMs of which nothing is known. */
    static JobLanguage jsdl() {
        return new JsdlLanguage(
                XmlLimits.defaults(),
                lrm -> LrmCapabilities.UNKNOWN,
                account -> Optional.of(FileSystems.of("/home/" + account, "/scratch")));
    }

    private Acceptance acceptance() {
        return new Acceptance() {
            @Override
            public boolean isOn() {
                return !engine.isDraining();
            }

            @Override
            public void stop() {
                engine.drain();
            }

            @Override
            public void start() {
                engine.resume();
            }
        };
    }

    String url() {
        return host.url() + BesDoor.ROOT;
    }

    /** What the factory answers to an envelope of this subject. */
    Answer send(String subject, String envelope, String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = DoorHost.SUBJECT;
        all[headers.length + 1] = subject;
        return BesWire.post(url() + "/" + BesService.FACTORY, envelope, all);
    }

    Answer post(String subject, String body) {
        return send(subject, BesWire.envelope(body));
    }

    /** The id of an activity that Alice creates. */
    String create(String executable) {
        return post(ALICE, BesWire.creation(executable)).one("Activity");
    }

    @Override
    public void close() throws Exception {
        engine.endWaits();
        host.close();
        engine.stop(Duration.ofSeconds(5));
        store.close();
    }
}
