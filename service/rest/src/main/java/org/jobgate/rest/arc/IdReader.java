// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads which jobs a request names, as a stream: {@code {"job":[{"id":"..."}]}}, where one job may stand without the brackets, or
 * {@code <jobs><job><id>...</id></job></jobs>}. A job without an id keeps its place. What else the body says is ignored: HTCondor sends back an answer as it came.
 */
final class IdReader {

    /** Does not remember the names of members, of which a body of this size could have millions. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .build();

    private static final XMLInputFactory XML = xml();

    /** The parser keeps all elements that are open, and all names that it has seen. */
    private static final int DEEPEST = 16;

    private static final int MOST_NAMES = 64;

    private IdReader() {}

    private static XMLInputFactory xml() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory;
    }

    static IdList read(InputStream body, @Nullable String contentType) throws IOException, ArcRefusal {
        try {
            return contentType != null && contentType.contains("json") ? json(body) : xml(body);
        } catch (JacksonException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw wrong("JSON", e.getOriginalMessage());
        } catch (XMLStreamException e) {
            if (e.getNestedException() instanceof IOException io) {
                throw io;
            }
            throw wrong(
                    "XML",
                    e.getLocation() == null
                            ? ""
                            : "near line " + e.getLocation().getLineNumber());
        }
    }

    private static ArcRefusal wrong(String language, @Nullable String why) {
        String said = why == null ? "" : why.lines().findFirst().orElse("");
        return ArcRefusal.badRequest(
                "The list of jobs is no " + language + " that can be read" + (said.isEmpty() ? "" : ": " + said) + ".",
                language.equals("JSON")
                        ? "Send {\"job\":[{\"id\":\"...\"}]}."
                        : "Send <jobs><job><id>...</id></job></jobs>, or JSON with the Content-Type application/json.");
    }

    private static IdList json(InputStream body) throws ArcRefusal {
        IdList ids = new IdList();
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw wrong("JSON", "it is not an object");
            }
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isJob = json.currentName().equals("job");
                JsonToken value = json.nextToken();
                if (isJob) {
                    jobs(json, value, ids);
                } else {
                    json.skipChildren();
                }
            }
            if (json.currentToken() != JsonToken.END_OBJECT) {
                throw wrong("JSON", "it does not end");
            }
        }
        return ids;
    }

    /** Nothing that stands in the place of a job is passed over: what follows it would be, too. */
    private static void jobs(JsonParser json, JsonToken value, IdList ids) throws ArcRefusal {
        if (value == JsonToken.START_OBJECT) {
            job(json, ids);
            return;
        }
        if (value == JsonToken.VALUE_NULL) {
            return;
        }
        if (value != JsonToken.START_ARRAY) {
            throw wrong("JSON", "job is no list");
        }
        JsonToken next = json.nextToken();
        while (next == JsonToken.START_OBJECT) {
            job(json, ids);
            next = json.nextToken();
        }
        if (next != JsonToken.END_ARRAY) {
            throw wrong("JSON", "a job is no object");
        }
    }

    private static void job(JsonParser json, IdList ids) throws ArcRefusal {
        String id = null;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean isId = json.currentName().equals("id");
            JsonToken value = json.nextToken();
            if (isId && value == JsonToken.VALUE_STRING) {
                id = json.getString();
            } else {
                json.skipChildren();
            }
        }
        if (id == null) {
            ids.addWithout();
        } else {
            ids.add(id);
        }
    }

    private static IdList xml(InputStream body) throws XMLStreamException, ArcRefusal {
        IdList ids = new IdList();
        XMLStreamReader xml = XML.createXMLStreamReader(body);
        Set<String> names = new HashSet<>();
        try {
            int depth = 0;
            boolean isWithout = false;
            while (xml.hasNext()) {
                int event = xml.next();
                if (event == XMLStreamConstants.DTD) {
                    throw wrong("XML", "a document type is not taken");
                }
                if (event == XMLStreamConstants.START_ELEMENT) {
                    depth++;
                    names.add(xml.getLocalName());
                    if (depth > DEEPEST || names.size() > MOST_NAMES) {
                        throw wrong(
                                "XML",
                                "its elements lie deeper than " + DEEPEST + ", or have more than " + MOST_NAMES
                                        + " names");
                    }
                    if (depth == 1 && !xml.getLocalName().equals("jobs")) {
                        throw wrong("XML", "its root is not jobs");
                    }
                    if (depth == 2) {
                        isWithout = xml.getLocalName().equals("job");
                    }
                    if (depth == 3 && xml.getLocalName().equals("id")) {
                        ids.add(xml.getElementText());
                        isWithout = false;
                        depth--;
                    }
                } else if (event == XMLStreamConstants.END_ELEMENT) {
                    if (depth == 2 && isWithout) {
                        ids.addWithout();
                        isWithout = false;
                    }
                    depth--;
                }
            }
        } finally {
            xml.close();
        }
        return ids;
    }
}
