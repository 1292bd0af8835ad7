// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One setting, as its record component describes it: how it is called, read, checked and shown.
 *
 * @param section the section's name, e.g. {@code server}
 */
record SettingSpec(String section, RecordComponent component, Setting setting) {

    /** The settings of a section's record, in order. */
    static List<SettingSpec> of(String section, Class<?> type) {
        List<SettingSpec> specs = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Setting setting = component.getAnnotation(Setting.class);
            if (setting == null) {
                throw new IllegalStateException(type.getSimpleName() + "." + component.getName() + " has no @Setting");
            }
            specs.add(new SettingSpec(section, component, setting));
        }
        return specs;
    }

    String name() {
        return component.getName();
    }

    String fullName() {
        return section + "." + name();
    }

    boolean isOptional() {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    boolean isList() {
        return component.getType() == List.class;
    }

    /** What kind of value it takes, for people. */
    String typeName() {
        Class<?> type = component.getType();
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> "`" + word((Enum<?>) constant) + "`")
                    .collect(Collectors.joining(", "));
        }
        if (type == int.class || type == Integer.class || type == long.class) {
            return "whole number";
        }
        if (type == boolean.class) {
            return "`true`, `false`";
        }
        if (type == Duration.class) {
            return "duration";
        }
        if (type == DataSize.class) {
            return "size";
        }
        return type == Path.class ? "path" : isList() ? "list of texts" : "text";
    }

    /**
     * Reads a value and checks its bounds.
     *
     * @param base what relative paths are relative to
     * @throws IllegalArgumentException that says the rule which the value breaks
     */
    Object parse(String text, Path base) {
        Object value = parseUnchecked(text, base);
        if (!setting.min().isEmpty() && compare(value, parseUnchecked(setting.min(), base)) < 0) {
            throw new IllegalArgumentException("must be at least " + setting.min());
        }
        if (!setting.max().isEmpty() && compare(value, parseUnchecked(setting.max(), base)) > 0) {
            throw new IllegalArgumentException("must be at most " + setting.max());
        }
        return value;
    }

    private Object parseUnchecked(String text, Path base) {
        Class<?> type = component.getType();
        if (type == int.class || type == Integer.class) {
            return Math.toIntExact(wholeNumber(text, Integer.MAX_VALUE));
        } else if (type == long.class) {
            return wholeNumber(text, Long.MAX_VALUE);
        } else if (type == boolean.class) {
            return truth(text);
        } else if (type == Duration.class) {
            return DurationText.parse(text);
        } else if (type == DataSize.class) {
            return DataSize.parse(text);
        } else if (type == Path.class) {
            return base.resolve(nonEmpty(text)).normalize();
        } else if (type.isEnum()) {
            return constant(type, text);
        }
        return nonEmpty(text);
    }

    private static long wholeNumber(String text, long greatest) {
        String digits = text.replace("_", "");
        if (!digits.matches("-?\\d{1,19}")) {
            throw new IllegalArgumentException("must be a whole number");
        }
        java.math.BigInteger value = new java.math.BigInteger(digits);
        if (value.abs().compareTo(java.math.BigInteger.valueOf(greatest)) > 0) {
            throw new IllegalArgumentException("must be at most " + greatest);
        }
        return value.longValue();
    }

    private static boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("must be true or false");
        };
    }

    private static String nonEmpty(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("must not be empty");
        }
        return text;
    }

    private static Object constant(Class<?> type, String text) {
        for (Object constant : type.getEnumConstants()) {
            if (word((Enum<?>) constant).equals(text)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("must be one of "
                + Arrays.stream(type.getEnumConstants())
                        .map(constant -> word((Enum<?>) constant))
                        .collect(Collectors.joining(", ")));
    }

    /** An enum constant as it is written in the file. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static int compare(Object value, Object bound) {
        return switch (value) {
            case Integer number -> number.compareTo((Integer) bound);
            case Long number -> number.compareTo((Long) bound);
            case Duration duration -> duration.compareTo((Duration) bound);
            case DataSize size -> size.compareTo((DataSize) bound);
            default -> throw new IllegalStateException("no bounds for " + value.getClass());
        };
    }
}
