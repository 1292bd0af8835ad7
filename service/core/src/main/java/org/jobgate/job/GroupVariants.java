// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/**
 * What the elements of a group ask for, where they differ in more than one value: descriptions that differ in anything, and for each element
 * which of them is its own and the few texts that are its own in it. Most groups have one variant, and so many descriptions take the room of
 * one and of what differs.
 *
 * @param variants at least one
 * @param elements one for each element, in order
 */
public record GroupVariants(List<Variant> variants, List<Element> elements) {

    /**
     * One description.
     *
     * @param description as its first element has it
     * @param places which of its texts are each element's own, by their number in the order of {@code DescriptionTexts}
     */
    public record Variant(JobDescription description, List<Integer> places) {
        public Variant {
            places = List.copyOf(places);
        }
    }

    /**
     * One element.
     *
     * @param variant the number of its variant, from 0
     * @param texts its own texts, one for each of the variant's places
     */
    public record Element(int variant, List<String> texts) {
        public Element {
            texts = List.copyOf(texts);
        }
    }

    public GroupVariants {
        variants = List.copyOf(variants);
        elements = List.copyOf(elements);
        if (elements.isEmpty()) {
            throw new IllegalArgumentException("a group has no elements");
        }
        for (Element element : elements) {
            if (element.variant() < 0
                    || element.variant() >= variants.size()
                    || element.texts().size()
                            != variants.get(element.variant()).places().size()) {
                throw new IllegalArgumentException("an element of a group has no variant, or not its number of texts");
            }
        }
    }

    /** The description of the element at this place. */
    public JobDescription element(int place) {
        Element element = elements.get(place);
        Variant variant = variants.get(element.variant());
        if (variant.places().isEmpty()) {
            return variant.description();
        }
        List<String> texts = DescriptionTexts.of(variant.description());
        for (int i = 0; i < element.texts().size(); i++) {
            texts.set(variant.places().get(i), element.texts().get(i));
        }
        return DescriptionTexts.with(variant.description(), texts);
    }

    /** Gathers elements one after the other; holds what differs only, and no more of that than a limit allows. */
    public static final class Builder {

        private final LongConsumer bytes;
        private final Map<JobDescription, Gathered> variants = new LinkedHashMap<>();
        private final List<Gathered> ofElements = new ArrayList<>();
        private final List<Map<Integer, String>> textsOfElements = new ArrayList<>();
        private long held;

        private static final class Gathered {
            private final int number;
            private final JobDescription first;
            private final List<String> texts;
            private final TreeSet<Integer> places = new TreeSet<>();

            /** How many elements have it, and the bytes of its first element's texts at the places. */
            private int elements;

            private long bytesAtPlaces;

            private Gathered(int number, JobDescription first, List<String> texts) {
                this.number = number;
                this.first = first;
                this.texts = texts;
            }
        }

        /** @param bytes is told after each element how many bytes have gathered, as {@link GroupVariants#bytes} counts them; it refuses too many */
        public Builder(LongConsumer bytes) {
            this.bytes = bytes;
        }

        /**
         * Adds the next element.
         *
         * @throws RuntimeException that of the check of the bytes
         */
        public Builder add(JobDescription description) {
            List<String> texts = DescriptionTexts.of(description);
            JobDescription bare = DescriptionTexts.mapped(description, text -> "-");
            Gathered of = variants.get(bare);
            if (of == null) {
                of = new Gathered(variants.size(), description, texts);
                variants.put(bare, of);
                held += bytesOf(bare, texts);
            }
            Map<Integer, String> own = new HashMap<>();
            for (int i = 0; i < texts.size(); i++) {
                String first = of.texts.get(i);
                if (!texts.get(i).equals(first)) {
                    own.put(i, texts.get(i));
                    held += bytesOf(texts.get(i)) - bytesOf(first);
                    if (of.places.add(i)) {
                        // all elements before this one have the first's text there, and now each for itself
                        of.bytesAtPlaces += bytesOf(first);
                        held += of.elements * (long) bytesOf(first);
                    }
                }
            }
            held += of.bytesAtPlaces;
            of.elements++;
            ofElements.add(of);
            textsOfElements.add(own);
            bytes.accept(held);
            return this;
        }

        /** The elements that were added, of which there must be one. */
        public GroupVariants build() {
            List<Variant> all = variants.values().stream()
                    .map(of -> new Variant(of.first, List.copyOf(of.places)))
                    .toList();
            List<Element> elements = new ArrayList<>(ofElements.size());
            for (int i = 0; i < ofElements.size(); i++) {
                Gathered of = ofElements.get(i);
                Map<Integer, String> own = textsOfElements.get(i);
                elements.add(new Element(
                        of.number,
                        of.places.stream()
                                .map(place -> own.getOrDefault(place, of.texts.get(place)))
                                .toList()));
            }
            return new GroupVariants(all, elements);
        }
    }

    /** The size of a description, with all parts that are not among its texts: names of variables, labels, resources and so on. */
    private static long bytesOf(JobDescription bare, List<String> texts) {
        long sum = bare.toString().length();
        for (String text : texts) {
            sum += bytesOf(text);
        }
        return sum;
    }

    /** An empty text takes a place, too. */
    private static int bytesOf(String text) {
        return Math.max(1, text.getBytes(StandardCharsets.UTF_8).length);
    }

    /** About how many UTF-8 bytes all variants and all texts of elements have, as far as the limit of a group's bytes is concerned. */
    public long bytes() {
        long sum = 0;
        for (Variant variant : variants) {
            JobDescription description = variant.description();
            sum += bytesOf(DescriptionTexts.mapped(description, text -> "-"), DescriptionTexts.of(description));
        }
        for (Element element : elements) {
            for (String text : element.texts()) {
                sum += bytesOf(text);
            }
        }
        return sum;
    }
}
