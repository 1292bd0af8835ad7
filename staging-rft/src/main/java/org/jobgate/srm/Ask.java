// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlElement;

/**
 * The part of a request that says what is asked for, or a part of that. Elements are found by their local names, with or without a
 * namespace and an {@code xsi:type}; one that says {@code xsi:nil} is not there.
 */
record Ask(XmlElement element) {

    Ask {
        requireNonNull(element, "element is null");
    }

    private Optional<XmlElement> child(String name) {
        Optional<XmlElement> found = element.child(name).filter(child -> !child.isNil());
        found.ifPresent(Ask::requireContent);
        return found;
    }

    private static void requireContent(XmlElement element) {
        if (element.attribute("href").isPresent()) {
            throw SrmException.invalid("The element " + element.localName()
                    + " refers to another one (href), which is not read here; write its content in its place.");
        }
    }

    /** What is inside an element. */
    Optional<Ask> part(String name) {
        return child(name).map(Ask::new);
    }

    /** The text of an element; empty if it is not there or has no text. */
    Optional<String> text(String name) {
        return child(name).map(XmlElement::trimmedText).filter(text -> !text.isEmpty());
    }

    /** The text of an element that must be there. */
    String needed(String name) {
        return text(name).orElseThrow(() -> SrmException.invalid("The request has no " + name + "."));
    }

    /** A whole number from 0 on. */
    OptionalInt number(String name) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= 0) {
                return OptionalInt.of(value);
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw SrmException.invalid(name + " is '" + Surl.shown(text.get()) + "'; it must be a whole number from 0 on.");
    }

    /** A number of bytes. */
    OptionalLong bytes(String name) {
        String text = text(name).orElse("");
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw SrmException.invalid(name + " is '" + Surl.shown(text) + "'; it must be a number of bytes.");
        }
        return OptionalLong.of(Long.parseLong(text));
    }

    /** A lifetime in seconds; empty for no text, for 0, and for a negative number, by which the standard asks for the longest. */
    OptionalInt seconds(String name) {
        Optional<String> text = text(name);
        if (text.isPresent() && text.get().matches("-[0-9]{1,10}")) {
            return OptionalInt.empty();
        }
        OptionalInt value = number(name);
        return value.isPresent() && value.getAsInt() > 0 ? value : OptionalInt.empty();
    }

    boolean truth(String name, boolean otherwise) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        return switch (text.get()) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default ->
                throw SrmException.invalid(name + " is '" + Surl.shown(text.get()) + "'; it must be true or false.");
        };
    }

    /** One word of a list that the standard gives. */
    <E extends Enum<E>> Optional<E> word(String name, Class<E> words) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        for (E word : words.getEnumConstants()) {
            if (word.name().equals(text.get())) {
                return Optional.of(word);
            }
        }
        throw SrmException.invalid(name + " is '" + Surl.shown(text.get()) + "', which is none of "
                + List.of(words.getEnumConstants()) + ".");
    }

    /** The elements of an array; none where it is not there. */
    List<Ask> items(String array, String item, Limit most) {
        List<Ask> items = new ArrayList<>();
        child(array).ifPresent(found -> {
            for (XmlElement one : found.children()) {
                if (one.localName().equals(item) && !one.isNil()) {
                    requireContent(one);
                    items.add(new Ask(one));
                }
            }
        });
        if (items.size() > most.value()) {
            throw SrmException.invalid(array + " has " + items.size() + " entries; the limit is " + most.name() + " = "
                    + most.value() + ". Ask in several requests.");
        }
        return items;
    }

    /** The elements of this one that have the name. */
    List<Ask> items(String item, Limit most) {
        List<Ask> items = new ArrayList<>();
        for (XmlElement one : element.children()) {
            if (one.localName().equals(item) && !one.isNil() && items.size() < most.value()) {
                requireContent(one);
                items.add(new Ask(one));
            }
        }
        return items;
    }

    /** The texts of an array; none where it is not there. */
    List<String> texts(String array, String item, Limit most) {
        return items(array, item, most).stream()
                .map(one -> one.element().trimmedText())
                .toList();
    }

    /** The SURLs of a request; at least one. */
    List<String> surls(Limit most) {
        List<String> surls = texts("arrayOfSURLs", "urlArray", most);
        if (surls.isEmpty()) {
            throw SrmException.invalid("The request names no SURL.");
        }
        return surls;
    }
}
