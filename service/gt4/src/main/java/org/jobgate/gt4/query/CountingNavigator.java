// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.query;

import java.time.Duration;
import java.util.Iterator;
import org.jaxen.FunctionCallException;
import org.jaxen.UnsupportedAxisException;
import org.jaxen.dom.DocumentNavigator;
import org.jobgate.limits.Limit;

/** Leads a query through a document, and stops one that looks at too many nodes or for too long. Loads no other document. */
final class CountingNavigator extends DocumentNavigator {

    private static final long serialVersionUID = 1L;

    /** A query that was stopped; its message says the limit. */
    static final class StoppedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        StoppedException(String message) {
            super(message);
        }
    }

    /** Making a text of so many characters costs as much as a look at a node. */
    private static final int CHARACTERS_OF_A_VISIT = 64;

    private final transient Limit limit;
    private final Duration time;
    private final long end;
    private long visits;

    CountingNavigator(Limit visits, Duration time) {
        this.limit = visits;
        this.time = time;
        this.end = System.nanoTime() + time.toNanos();
    }

    private void visit(long count) {
        visits += count;
        if (visits > limit.value()) {
            throw new StoppedException(
                    "it looks at nodes more than " + limit.name() + " = " + limit.value() + " times");
        }
        if (System.nanoTime() - end > 0) {
            throw new StoppedException("it takes longer than " + time.toMillis() + " ms");
        }
    }

    private Iterator<?> counted(Iterator<?> nodes) {
        visit(1);
        return new Iterator<Object>() {
            @Override
            public boolean hasNext() {
                return nodes.hasNext();
            }

            @Override
            public Object next() {
                visit(1);
                return nodes.next();
            }
        };
    }

    @Override
    public Iterator<?> getChildAxisIterator(Object node) {
        return counted(super.getChildAxisIterator(node));
    }

    @Override
    public Iterator<?> getParentAxisIterator(Object node) {
        return counted(super.getParentAxisIterator(node));
    }

    @Override
    public Object getParentNode(Object node) {
        visit(1);
        return super.getParentNode(node);
    }

    @Override
    public Iterator<?> getSelfAxisIterator(Object node) throws UnsupportedAxisException {
        return counted(super.getSelfAxisIterator(node));
    }

    @Override
    public Iterator<?> getFollowingSiblingAxisIterator(Object node) {
        return counted(super.getFollowingSiblingAxisIterator(node));
    }

    @Override
    public Iterator<?> getPrecedingSiblingAxisIterator(Object node) {
        return counted(super.getPrecedingSiblingAxisIterator(node));
    }

    @Override
    public Iterator<?> getFollowingAxisIterator(Object node) {
        return counted(super.getFollowingAxisIterator(node));
    }

    @Override
    public Iterator<?> getAttributeAxisIterator(Object node) {
        return counted(super.getAttributeAxisIterator(node));
    }

    @Override
    public Iterator<?> getNamespaceAxisIterator(Object node) {
        return counted(super.getNamespaceAxisIterator(node));
    }

    @Override
    public String getElementStringValue(Object node) {
        String text = super.getElementStringValue(node);
        visit(text.length() / CHARACTERS_OF_A_VISIT);
        return text;
    }

    @Override
    public String getTextStringValue(Object node) {
        String text = super.getTextStringValue(node);
        visit(text.length() / CHARACTERS_OF_A_VISIT);
        return text;
    }

    @Override
    public Object getDocument(String address) throws FunctionCallException {
        throw new FunctionCallException("no other document can be read: " + address);
    }
}
