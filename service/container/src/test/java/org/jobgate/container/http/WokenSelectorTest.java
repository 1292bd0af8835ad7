// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WokenSelectorTest {

    private static final int UPDATES = 200;

    private final List<Thread> woken = new CopyOnWriteArrayList<>();
    private final QueuedThreadPool threads = new QueuedThreadPool();
    private final ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler();
    private final List<ManagedSelector> selectors = new ArrayList<>();
    private final SelectorManager manager = new SelectorManager(threads, scheduler, 1) {
        @Override
        protected ManagedSelector newSelector(int id) {
            ManagedSelector made = new WokenSelector(this, id);
            selectors.add(made);
            return made;
        }

        @Override
        protected Selector newSelector() throws IOException {
            return new Watched(Selector.open());
        }

        @Override
        protected EndPoint newEndPoint(SelectableChannel channel, ManagedSelector selector, SelectionKey key) {
            throw new UnsupportedOperationException("there are no connections");
        }

        @Override
        public Connection newConnection(SelectableChannel channel, EndPoint endPoint, @Nullable Object attachment) {
            throw new UnsupportedOperationException("there are no connections");
        }
    };

    @BeforeEach
    void start() throws Exception {
        threads.start();
        scheduler.start();
        manager.start();
    }

    @AfterEach
    void stop() throws Exception {
        manager.stop();
        scheduler.stop();
        threads.stop();
    }

    private void submitOnVirtualThreads(CountDownLatch done) {
        for (int i = 0; i < UPDATES; i++) {
            Thread.ofVirtual().start(() -> selectors.getFirst().submit(selector -> done.countDown()));
        }
    }

    @Test
    void theThreadsOfRequestsNeverWakeItThemselves() throws Exception {
        CountDownLatch done = new CountDownLatch(UPDATES);
        submitOnVirtualThreads(done);
        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(woken).isNotEmpty().noneMatch(Thread::isVirtual);
    }

    @Test
    void whatComesWhileItStopsHoldsUpNothingAndItsThreadEnds() throws Exception {
        submitOnVirtualThreads(new CountDownLatch(UPDATES));
        manager.stop();
        submitOnVirtualThreads(new CountDownLatch(UPDATES));
        for (Thread thread : Set.copyOf(woken)) {
            if (thread.getName().equals("http-waker")) {
                thread.join(60_000);
                assertThat(thread.isAlive()).isFalse();
            }
        }
    }

    /** Notes who wakes it. */
    private final class Watched extends Selector {
        private final Selector selector;

        Watched(Selector selector) {
            this.selector = selector;
        }

        @Override
        public Selector wakeup() {
            woken.add(Thread.currentThread());
            selector.wakeup();
            return this;
        }

        @Override
        public boolean isOpen() {
            return selector.isOpen();
        }

        @Override
        public SelectorProvider provider() {
            return selector.provider();
        }

        @Override
        public Set<SelectionKey> keys() {
            return selector.keys();
        }

        @Override
        public Set<SelectionKey> selectedKeys() {
            return selector.selectedKeys();
        }

        @Override
        public int selectNow() throws IOException {
            return selector.selectNow();
        }

        @Override
        public int select(long timeout) throws IOException {
            return selector.select(timeout);
        }

        @Override
        public int select() throws IOException {
            return selector.select();
        }

        @Override
        public void close() throws IOException {
            selector.close();
        }
    }
}
