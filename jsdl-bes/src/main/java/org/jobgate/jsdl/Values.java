// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * The values of one sweep function, of which none is made before it is asked for: a list, or a loop over numbers without some of them.
 *
 * @param node the function
 * @param count how many values there are before exceptions
 * @param list the values of a list; absent for a loop
 * @param start of a loop
 * @param step of a loop
 * @param exceptions the places that a loop leaves out, in order
 */
record Values(
        Node node,
        BigInteger count,
        @Nullable List<Node> list,
        BigDecimal start,
        BigDecimal step,
        List<Long> exceptions) {

    private static final String WHOLE = "[+-]?[0-9]{1,18}";
    private static final String DECIMAL = "[+-]?([0-9]{1,18}(\\.[0-9]{0,18})?|\\.[0-9]{1,18})([eE][+-]?[0-9]{1,2})?";

    static Values read(Node node) {
        if (node.is(Names.FUNCTIONS, "Values")) {
            Parts parts = new Parts(node);
            List<Node> list = parts.many(Names.of(Names.FUNCTIONS, "Value"));
            parts.end();
            if (list.isEmpty()) {
                throw JsdlFaults.invalid(node, "", "it must hold at least one Value");
            }
            return new Values(node, BigInteger.valueOf(list.size()), list, BigDecimal.ZERO, BigDecimal.ZERO, List.of());
        }
        if (node.is(Names.FUNCTIONS, "LoopInteger")) {
            return loop(node, WHOLE, "a whole number of at most 18 digits", "1");
        }
        if (node.is(Names.FUNCTIONS, "LoopDouble")) {
            return loop(node, DECIMAL, "a decimal number of at most 18 digits", null);
        }
        throw JsdlFaults.unsupported(
                node, "sweeps have the functions Values, LoopInteger and LoopDouble", "Use one of them.");
    }

    private static Values loop(Node node, String form, String rule, @Nullable String defaultStep) {
        Parts parts = new Parts(node);
        Function<String, BigDecimal> number = name -> {
            String text = parts.attribute(name).orElse(name.equals("step") && defaultStep != null ? defaultStep : "");
            return number(node, text.strip(), form, name + " must be " + rule);
        };
        BigDecimal start = number.apply("start");
        BigDecimal end = number.apply("end");
        BigDecimal step = number.apply("step");
        List<Node> excepted = parts.many(new QName(Names.FUNCTIONS, "Exception"));
        parts.end();
        if (step.signum() == 0 || (end.compareTo(start) != 0 && step.signum() != end.compareTo(start))) {
            throw JsdlFaults.invalid(node, step.toPlainString(), "its step does not lead from its start to its end");
        }
        BigInteger count =
                end.subtract(start).divideToIntegralValue(step).toBigInteger().add(BigInteger.ONE);
        Set<Long> places = new HashSet<>();
        for (Node one : excepted) {
            BigDecimal value = number(one, Parts.word(one), form, "it must be " + rule);
            BigDecimal[] steps = value.subtract(start).divideAndRemainder(step);
            if (steps[1].signum() == 0
                    && steps[0].signum() >= 0
                    && steps[0].toBigInteger().compareTo(count) < 0
                    && steps[0].toBigInteger().bitLength() < 63) {
                places.add(steps[0].longValue());
            }
        }
        List<Long> exceptions = new ArrayList<>(places);
        exceptions.sort(null);
        Values values = new Values(node, count, null, start, step, exceptions);
        if (values.size().signum() == 0) {
            throw JsdlFaults.invalid(node, "", "its exceptions leave no value");
        }
        return values;
    }

    private static BigDecimal number(Node node, String text, String form, String rule) {
        if (!text.matches(form)) {
            throw JsdlFaults.invalid(node, text, rule);
        }
        return new BigDecimal(text);
    }

    /** How many values there are. */
    BigInteger size() {
        return count.subtract(BigInteger.valueOf(exceptions.size()));
    }

    /** How much work it is to put the value of this number somewhere. */
    long work(int number) {
        return list == null ? 1 + exceptions.size() / 8L : list.get(number).size();
    }

    /** Whether a name and a password, or a part of them, stand in a value. */
    boolean bringCredentials() {
        return list != null && list.stream().anyMatch(Secrets::areIn);
    }

    /** Puts the value of this number, from 0, into the place. */
    void put(int number, Place place) {
        if (list == null) {
            long at = number;
            for (long exception : exceptions) {
                at += exception <= at ? 1 : 0;
            }
            BigDecimal value = start.add(step.multiply(BigDecimal.valueOf(at)));
            place.put(value.stripTrailingZeros().toPlainString());
            return;
        }
        Node value = list.get(number);
        if (place.isElement()) {
            place.node().setContent(value);
        } else if (value.children().isEmpty()) {
            place.put(value.text());
        } else {
            throw JsdlFaults.invalid(
                    value,
                    "",
                    place.token().isEmpty()
                            ? "an attribute takes text and no element"
                            : "a token is replaced by text, not by an element");
        }
    }
}
