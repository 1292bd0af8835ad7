// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;

/** The attributes of one JDL, each as the type that it must have. */
final class JdlAttributes {

    private final JdlRecord record;
    private final JobLimits limits;

    JdlAttributes(JdlRecord record, JobLimits limits) {
        this.record = record;
        this.limits = limits;
    }

    /** The text of this name; null where it is not given or empty. */
    @Nullable
    String text(String name) {
        JdlValue value = record.get(name);
        if (value == null) {
            return null;
        }
        String text = text(name, value);
        return text.isEmpty() ? null : text;
    }

    String mandatory(String name) {
        String text = text(name);
        if (text == null) {
            throw JdlFaults.invalid(name, "", "mandatory attribute \"" + name + "\" not defined!");
        }
        return text;
    }

    private String text(String name, JdlValue value) {
        if (!(value instanceof JdlValue.Text text)) {
            throw wrongType(name, value, "string");
        }
        if (text.value().indexOf('\0') >= 0) {
            throw JdlFaults.invalid(name, text.value(), name + ": it must not hold a NUL character");
        }
        long length = text.value().length() * 3L <= limits.textBytes().value()
                ? text.value().length()
                : text.value().getBytes(StandardCharsets.UTF_8).length;
        limits.textBytes().check(length, "Bytes of the attribute " + name);
        return text.value();
    }

    /** The texts of a list, or of a single text, each without surrounding space; empty ones are left out. */
    List<String> texts(String name, Limit limit) {
        JdlValue value = record.get(name);
        if (value == null) {
            return List.of();
        }
        List<JdlValue> values = value instanceof JdlValue.Sequence list ? list.values() : List.of(value);
        limit.check(values.size(), "Entries of the attribute " + name);
        List<String> texts = new ArrayList<>();
        for (JdlValue each : values) {
            String text = text(name, each).strip();
            if (!text.isEmpty()) {
                texts.add(text);
            }
        }
        return texts;
    }

    /** A whole number of at least 1; null where it is not given. */
    @Nullable
    Integer count(String name) {
        JdlValue value = record.get(name);
        if (value == null) {
            return null;
        }
        if (!(value instanceof JdlValue.Whole whole)) {
            throw wrongType(name, value, "integer");
        }
        if (whole.value() < 1) {
            throw JdlFaults.invalid(name, Long.toString(whole.value()), name + ": the value must be >=1");
        }
        if (whole.value() > Integer.MAX_VALUE) {
            throw JdlFaults.invalid(name, Long.toString(whole.value()), name + ": the value is too large");
        }
        return (int) whole.value();
    }

    /** A number; null where it is not given. */
    @Nullable
    Double number(String name) {
        return switch (record.get(name)) {
            case null -> null;
            case JdlValue.Whole whole -> (double) whole.value();
            case JdlValue.Real real -> real.value();
            case JdlValue other -> throw wrongType(name, other, "real");
        };
    }

    /** Whether it is given and true. */
    boolean isTrue(String name) {
        return switch (record.get(name)) {
            case null -> false;
            case JdlValue.Truth truth -> truth.value();
            case JdlValue other -> throw wrongType(name, other, "boolean");
        };
    }

    /** An expression: as a text, or as it stands. */
    String expression(String name) {
        return switch (record.get(name)) {
            case null -> "";
            case JdlValue.Text text -> text(name, text);
            case JdlValue.Expression expression -> text(name, new JdlValue.Text(expression.text()));
            case JdlValue.Truth truth -> Boolean.toString(truth.value());
            case JdlValue other -> throw wrongType(name, other, "expression");
        };
    }

    private static org.jobgate.job.FaultException wrongType(String name, JdlValue value, String expected) {
        String shown = value instanceof JdlValue.Expression expression ? expression.text() : "";
        return JdlFaults.invalid(name, shown, name + ": wrong type (expected type: " + expected + ")");
    }
}
