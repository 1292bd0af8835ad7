// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Every setting with the value it has, one line each. No setting holds a secret: passwords and keys are in files. */
public final class ConfigurationDump {

    private ConfigurationDump() {}

    public static List<String> lines(JobgateConfig config) {
        List<String> lines = new ArrayList<>();
        for (RecordComponent component : JobgateConfig.class.getRecordComponents()) {
            if (value(component, config) instanceof Map<?, ?> map) {
                map.forEach((key, section) -> addSection(component.getName() + "." + key, section, lines));
            } else if (value(component, config) instanceof List<?> list) {
                for (int i = 0; i < list.size(); i++) {
                    addSection(component.getName() + "[" + i + "]", list.get(i), lines);
                }
            } else {
                addSection(component.getName(), value(component, config), lines);
            }
        }
        return lines;
    }

    private static void addSection(String name, @Nullable Object section, List<String> lines) {
        if (section == null) {
            return;
        }
        for (SettingSpec spec : SettingSpec.of(name, section.getClass())) {
            Object value = value(spec.component(), section);
            lines.add(spec.fullName() + " = " + show(value));
        }
    }

    private static String show(@Nullable Object value) {
        return switch (value) {
            case null -> "(none)";
            case Duration duration -> DurationText.format(duration);
            case Enum<?> constant -> SettingSpec.word(constant);
            default -> value.toString();
        };
    }

    private static @Nullable Object value(RecordComponent component, Object owner) {
        try {
            return component.getAccessor().invoke(owner);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read " + component.getName(), e);
        }
    }
}
