// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.NearestName;
import org.jobgate.job.ShortText;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Makes a configuration from the tree of a file. All problems are collected, so that one start tells them all.
 *
 * <p>The file's shape is that of the records: {@link JobgateConfig} names the sections, their components the settings.
 */
final class ConfigurationReader {

    private static final int MAX_LIST = 256;

    private final Path file;
    private final Map<String, String> environment;
    private final Map<String, String> defunct;
    private final List<String> problems = new ArrayList<>();

    /**
     * Prepares to read.
     *
     * @param defunct names that are no more, with what to do instead
     */
    ConfigurationReader(Path file, Map<String, String> environment, Map<String, String> defunct) {
        this.file = requireNonNull(file, "file is null");
        this.environment = environment;
        this.defunct = defunct;
    }

    /**
     * The configuration of the tree.
     *
     * @throws ConfigurationException with every problem that was found
     */
    JobgateConfig read(JsonNode root) {
        if (!root.isObject() && !root.isNull() && !root.isMissingNode()) {
            throw new ConfigurationException(List.of(file + ": the file must hold sections, as `server:`"));
        }
        List<String> sections = Arrays.stream(JobgateConfig.class.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
        refuseUnknown("", root, sections);
        Map<RecordComponent, @Nullable Object> values = new LinkedHashMap<>();
        for (RecordComponent component : JobgateConfig.class.getRecordComponents()) {
            values.put(component, section(component, child(root, component.getName())));
        }
        JobgateConfig config = problems.isEmpty() ? create(JobgateConfig.class, values, "") : null;
        if (config == null) {
            throw new ConfigurationException(problems);
        }
        return config;
    }

    private @Nullable Object section(RecordComponent component, JsonNode node) {
        if (component.getType() == Map.class) {
            return map(component, node);
        }
        if (component.getType() != List.class) {
            return record(component.getName(), component.getType(), node);
        }
        Class<?> type = (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
        List<@Nullable Object> list = new ArrayList<>();
        if (isAbsent(node)) {
            if (!requireNonNull(type.getAnnotation(Section.class)).optional()) {
                list.add(record(component.getName() + "[0]", type, node));
            }
        } else if (!node.isArray() || node.isEmpty() || node.size() > MAX_LIST) {
            problem(component.getName(), node, "must be a list of 1 to " + MAX_LIST + " entries");
        } else {
            for (int i = 0; i < node.size(); i++) {
                list.add(record(component.getName() + "[" + i + "]", type, requireNonNull(node.get(i))));
            }
        }
        return list;
    }

    private Map<String, @Nullable Object> map(RecordComponent component, JsonNode node) {
        Class<?> type = (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[1];
        List<String> keys =
                List.of(requireNonNull(type.getAnnotation(Section.class)).keys());
        if (!isAbsent(node) && !node.isObject()) {
            problem(component.getName(), node, "must hold sections, as `" + keys.getFirst() + ":`");
        }
        refuseUnknown(component.getName(), node, keys);
        Map<String, @Nullable Object> sections = new LinkedHashMap<>();
        keys.forEach(key -> sections.put(key, record(component.getName() + "." + key, type, child(node, key))));
        return sections;
    }

    private @Nullable Object record(String section, Class<?> type, JsonNode node) {
        if (!isAbsent(node) && !node.isObject()) {
            problem(section, node, "must hold settings, as `name: value`");
            return null;
        }
        List<SettingSpec> specs = SettingSpec.of(section, type);
        refuseUnknown(section, node, specs.stream().map(SettingSpec::name).toList());
        int before = problems.size();
        Map<RecordComponent, @Nullable Object> values = new LinkedHashMap<>();
        for (SettingSpec spec : specs) {
            values.put(spec.component(), value(spec, child(node, spec.name())));
        }
        return problems.size() == before ? create(type, values, section) : null;
    }

    private @Nullable Object value(SettingSpec spec, JsonNode node) {
        if (spec.isList()) {
            return list(spec, node);
        }
        if (isAbsent(node)) {
            return byDefault(spec);
        }
        if (!node.isValueNode()) {
            problem(spec.fullName(), node, "must be one value");
            return null;
        }
        return parse(spec, node.asString());
    }

    private @Nullable Object byDefault(SettingSpec spec) {
        String text = spec.setting().byDefault();
        if (text.isEmpty()) {
            if (!spec.isOptional()) {
                problems.add(file + ": " + spec.fullName() + " must be given");
            }
            return null;
        }
        return spec.parse(text, base());
    }

    private @Nullable Object list(SettingSpec spec, JsonNode node) {
        List<String> texts = new ArrayList<>();
        if (isAbsent(node)) {
            return Arrays.stream(spec.setting().byDefault().split(",", -1))
                    .filter(text -> !text.isEmpty())
                    .toList();
        }
        if (!node.isArray() || node.size() > MAX_LIST) {
            problem(spec.fullName(), node, "must be a list of at most " + MAX_LIST + " texts");
            return null;
        }
        for (JsonNode entry : node) {
            Object text = entry.isValueNode() ? parse(spec, entry.asString()) : null;
            if (text == null) {
                problem(spec.fullName(), entry, "must be a list of texts");
                return null;
            }
            texts.add((String) text);
        }
        return List.copyOf(texts);
    }

    private @Nullable Object parse(SettingSpec spec, String written) {
        try {
            return spec.parse(Substitution.apply(written, environment), base());
        } catch (IllegalArgumentException e) {
            problems.add(file + ": " + spec.fullName() + " = " + written + ": " + e.getMessage());
            return null;
        }
    }

    private void refuseUnknown(String section, JsonNode node, List<String> known) {
        if (!node.isObject()) {
            return;
        }
        for (String name : node.propertyNames()) {
            String full = section.isEmpty() ? name : section + "." + name;
            if (!known.contains(name)) {
                String advice = defunct.get(full.replaceAll("\\[\\d+]", "[]"));
                problems.add(file + ": " + full + ": "
                        + (advice != null ? "is no more: " + advice : unknown(section, name, known)));
            }
        }
    }

    private static String unknown(String section, String name, List<String> known) {
        Optional<String> nearest = NearestName.to(name, known);
        if (nearest.isPresent()) {
            return "there is no such name; did you mean " + (section.isEmpty() ? "" : section + ".") + nearest.get()
                    + "?";
        }
        return "there is no such name; there are " + String.join(", ", known);
    }

    private <R> @Nullable R create(Class<R> type, Map<RecordComponent, @Nullable Object> values, String section) {
        Class<?>[] types =
                values.keySet().stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types)
                    .newInstance(values.values().toArray());
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof IllegalArgumentException rule)) {
                throw new IllegalStateException("cannot make " + type, e);
            }
            problems.add(file + ": " + (section.isEmpty() ? "" : section + ": ") + rule.getMessage());
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + type, e);
        }
    }

    private void problem(String name, JsonNode node, String rule) {
        String written = node.toString();
        problems.add(file + ": " + name + " = " + ShortText.of(written, 100) + ": " + rule);
    }

    private Path base() {
        return requireNonNull(file.toAbsolutePath().getParent());
    }

    private static JsonNode child(JsonNode node, String name) {
        JsonNode child = node.get(name);
        return child == null ? JsonNodeFactory.instance.nullNode() : child;
    }

    private static boolean isAbsent(JsonNode node) {
        return node.isNull() || node.isMissingNode();
    }
}
