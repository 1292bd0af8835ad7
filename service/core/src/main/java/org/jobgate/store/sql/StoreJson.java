// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Map;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobOutcome;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The parts of a job that are stored as JSON: records by their components, absent and empty parts left out. */
final class StoreJson {

    /** One for all: what it has learnt of a type costs more than the writing of a value. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .changeDefaultVisibility(checker -> checker.withGetterVisibility(Visibility.NONE)
                    .withIsGetterVisibility(Visibility.NONE)
                    .withFieldVisibility(Visibility.ANY))
            .changeDefaultPropertyInclusion(
                    value -> JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, JsonInclude.Include.ALWAYS))
            .withConfigOverride(
                    String.class,
                    // an empty text is not an absent one
                    override -> override.setInclude(
                            JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS)))
            .withConfigOverride(
                    List.class, override -> override.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .withConfigOverride(
                    Map.class, override -> override.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            // a later version may have stored more than this one knows
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** Once for all, as each job that is read has some. */
    private static final ObjectReader TEXTS = MAPPER.readerFor(String[].class);

    String write(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    @Nullable
    String writeOutcome(@Nullable JobOutcome outcome) {
        return outcome == null ? null : Values.readable(MAPPER.writeValueAsString(outcome));
    }

    @Nullable
    JobOutcome readOutcome(@Nullable String text) {
        return text == null ? null : read(text, JobOutcome.class);
    }

    @Nullable
    String writeTexts(List<String> texts) {
        return texts.isEmpty() ? null : Values.readable(MAPPER.writeValueAsString(texts));
    }

    List<String> readTexts(@Nullable String text) {
        return text == null ? List.of() : List.of(read(text, TEXTS, String[].class));
    }

    /** For a stored text of an older form. */
    ObjectNode tree(String text) {
        return read(text, MAPPER.readerFor(ObjectNode.class), ObjectNode.class);
    }

    <T> T read(String text, Class<T> type) {
        return read(text, MAPPER.readerFor(type), type);
    }

    private static <T> T read(String text, ObjectReader reader, Class<T> type) {
        try {
            return reader.<T>readValue(text);
        } catch (JacksonException e) {
            throw new FaultException(
                    Fault.of(
                            FaultCode.STORE_UNAVAILABLE,
                            "The store holds a damaged " + type.getSimpleName() + ": " + e.getOriginalMessage() + ".",
                            "See docs/operate/recovering.md; do not change the store's tables by hand."),
                    e);
        }
    }
}
