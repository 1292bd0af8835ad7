// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Assumptions;
import org.slf4j.LoggerFactory;
import org.xml.sax.SAXException;

/** The official schemas, which lie beside the checkout. */
final class Schemas {

    private static final Path SHARED = Path.of(System.getProperty("jobgate.root", "."), "../shared");
    private static final Optional<Schema> SCHEMA = load();

    private Schemas() {}

    /** A file or directory beside the checkout; a test that has no use without it is skipped, and says so. */
    static Path shared(String path) {
        Path found = SHARED.resolve(path);
        if (!Files.exists(found)) {
            notTested("the files " + path);
        }
        Assumptions.assumeTrue(Files.exists(found), () -> "SKIPPED: there is no " + found.toAbsolutePath());
        return found;
    }

    private static void notTested(String what) {
        String loud = "NOT TESTED against " + what + ": there is no "
                + SHARED.toAbsolutePath().normalize();
        LoggerFactory.getLogger(Schemas.class).error(loud);
        System.err.println(loud);
    }

    private static Optional<Schema> load() {
        Path folder = SHARED.resolve("schemas/bes/offline");
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        Source[] sources = Stream.of(
                        "jsdl.xsd",
                        "jsdl-posix.xsd",
                        "jsdl-hpcp.xsd",
                        "jsdl-spmd.xsd",
                        "sweep.xsd",
                        "sweep-functions.xsd",
                        "file-sweep.xsd")
                .map(name -> new StreamSource(folder.resolve(name).toFile()))
                .toArray(Source[]::new);
        try {
            return Optional.of(SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                    .newSchema(sources));
        } catch (SAXException e) {
            throw new IllegalStateException("the official schemas cannot be read", e);
        }
    }

    /** Fails where the document is not valid; says that it did nothing where the schemas are not there. */
    static void validate(String document) {
        if (SCHEMA.isEmpty()) {
            notTested("the official schemas of JSDL");
            return;
        }
        try {
            SCHEMA.get().newValidator().validate(new StreamSource(new StringReader(document)));
        } catch (SAXException e) {
            throw new AssertionError("not valid: " + e.getMessage() + "\n" + document, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
