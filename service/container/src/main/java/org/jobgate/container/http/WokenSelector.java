// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.jspecify.annotations.Nullable;

/**
 * A selector that the threads of requests never wake themselves: a thread of its own does it for all of them.
 *
 * <p>Who wakes a selector of the JDK holds a lock that the selector needs next. Waking makes the selector runnable, and where there are more
 * threads than processors it is run at once in the place of who woke it; then it waits for the lock until the system runs that thread again.
 * A thread that works for requests has used its time and is run again late: all connections waited for it, tens of milliseconds at a
 * time. The thread that does nothing but wake has time left, and is run at once.
 */
final class WokenSelector extends ManagedSelector {

    private final Queue<SelectorUpdate> handedOver = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isCalled = new AtomicBoolean();
    private volatile @Nullable Thread waker;

    WokenSelector(SelectorManager manager, int id) {
        super(manager, id);
    }

    @Override
    protected void doStart() throws Exception {
        Thread made = Thread.ofPlatform().daemon().name("http-waker").unstarted(this::wakeForOthers);
        waker = made;
        made.start();
        super.doStart();
    }

    @Override
    protected void doStop() throws Exception {
        try {
            super.doStop();
        } finally {
            Thread ended = waker;
            waker = null;
            LockSupport.unpark(ended);
            passOn();
        }
    }

    @Override
    public void submit(SelectorUpdate update) {
        if (!Thread.currentThread().isVirtual()) {
            super.submit(update);
            return;
        }
        handedOver.add(update);
        Thread awake = waker;
        if (awake == null) {
            passOn();
        } else if (isCalled.compareAndSet(false, true)) {
            LockSupport.unpark(awake);
        }
    }

    private void wakeForOthers() {
        while (waker != null) {
            if (isCalled.compareAndSet(true, false)) {
                passOn();
            } else {
                LockSupport.park(this);
            }
        }
    }

    private void passOn() {
        for (SelectorUpdate next = handedOver.poll(); next != null; next = handedOver.poll()) {
            super.submit(next);
        }
    }
}
