// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The reference page of the configuration, made from the records. */
final class ConfigurationPage {

    private static final String HEAD = """
            <!-- Generated from org.jobgate.container.config; after a change there: mvn -pl service/container -am test -Dtest=ConfigurationPageTest -Djobgate.docs=write -->
            # Configuration: every name

            The file is YAML. What is not given has its default; a name that is not here stops the start. How to begin:
            [operate/configuration.md](../operate/configuration.md).

            Durations are written `250ms`, `30s`, `5m`, `2h`, `7d`; sizes `512B`, `64KiB`, `10MiB`, `2GiB`; a relative path is relative to
            the folder of the file. `${NAME}` and `${NAME:default}` in a value stand for the environment's variable, `$${` for `${`.

            No setting holds a secret: passwords and keys are in files that a setting names, so the whole configuration may be shown.

            A setting is *essential* (every installation should know it), *common*, or *rare* (hardly any needs it).
            """;

    private ConfigurationPage() {}

    static String render() {
        StringBuilder page = new StringBuilder(HEAD);
        for (RecordComponent component : JobgateConfig.class.getRecordComponents()) {
            boolean list = component.getType() == List.class;
            boolean map = component.getType() == Map.class;
            Class<?> type = list || map
                    ? (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[list ? 0 : 1]
                    : component.getType();
            page.append("\n## `").append(component.getName()).append("`\n\n");
            page.append(requireNonNull(type.getAnnotation(Section.class)).value())
                    .append("\n\n");
            page.append("| name | type | default | tier | meaning |\n|---|---|---|---|---|\n");
            for (SettingSpec spec : SettingSpec.of(component.getName() + (list ? "[]" : map ? ".NAME" : ""), type)) {
                page.append(row(spec));
            }
        }
        return page.append(defunct()).toString();
    }

    private static String row(SettingSpec spec) {
        Setting setting = spec.setting();
        String byDefault = setting.byDefault().isEmpty() ? "none" : "`" + setting.byDefault() + "`";
        return "| `" + spec.fullName() + "` | " + spec.typeName() + bounds(setting) + " | " + byDefault + " | "
                + setting.tier().name().toLowerCase(Locale.ROOT) + " | "
                + setting.description().replace("|", "\\|") + " |\n";
    }

    private static String bounds(Setting setting) {
        if (setting.min().isEmpty() && setting.max().isEmpty()) {
            return "";
        }
        if (setting.max().isEmpty()) {
            return ", at least " + setting.min();
        }
        return setting.min().isEmpty() ? ", at most " + setting.max() : ", " + setting.min() + " to " + setting.max();
    }

    private static String defunct() {
        if (ConfigurationFile.DEFUNCT.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("\n## Names that are no more\n\n| name | instead |\n|---|---|\n");
        ConfigurationFile.DEFUNCT.entrySet().stream()
                .sorted(java.util.Map.Entry.comparingByKey())
                .forEach(entry -> text.append("| `")
                        .append(entry.getKey())
                        .append("` | ")
                        .append(entry.getValue())
                        .append(" |\n"));
        return text.toString();
    }
}
