// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jobgate.transfer.server.FileServer;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * GRAM4's file of the paths at which GridFTP servers show the files of jobs (facts/gram4.md section 10.2): {@code fileSystemMaps} of
 * {@code map}, each with {@code scheduler}, {@code ftpServer} and {@code mapping}.
 */
final class FileSystemMaps {

    private static final String NAMESPACE = "http://www.globus.org/namespaces/2004/10/gram/job";
    private static final long MAX_BYTES = 1 << 20;

    private FileSystemMaps() {}

    /**
     * The file servers that a file names, in its order.
     *
     * @throws IOException saying what is wrong with it
     */
    static List<FileServer> read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("it is larger than 1 MiB");
        }
        return parse(Files.readString(file));
    }

    static List<FileServer> parse(String text) throws IOException {
        Element root = document(text);
        if (!root.getLocalName().equals("fileSystemMaps") || !NAMESPACE.equals(root.getNamespaceURI())) {
            throw new IOException("its root is not fileSystemMaps of the namespace " + NAMESPACE);
        }
        List<FileServer> servers = new ArrayList<>();
        for (Element map : children(root, "map")) {
            String lrm = text(map, "scheduler");
            Element server = child(map, "ftpServer");
            String base = text(server, "protocol") + "://" + text(server, "host") + ":" + text(server, "port");
            for (Element mapping : children(map, "mapping")) {
                servers.add(server(lrm, text(mapping, "jobPath"), base + text(mapping, "ftpPath")));
            }
        }
        return servers;
    }

    private static FileServer server(String lrm, String path, String url) throws IOException {
        try {
            return new FileServer(lrm, path, URI.create(url));
        } catch (IllegalArgumentException e) {
            throw new IOException("the mapping of " + path + " for " + lrm + ": " + e.getMessage(), e);
        }
    }

    private static Element document(String text) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setXIncludeAware(false);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(null);
            return builder.parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("it is not XML that can be read: " + e.getMessage(), e);
        }
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList all = parent.getChildNodes();
        for (int i = 0; i < all.getLength(); i++) {
            Node node = all.item(i);
            if (node instanceof Element element && name.equals(element.getLocalName())) {
                found.add(element);
            }
        }
        return found;
    }

    private static Element child(Element parent, String name) throws IOException {
        List<Element> found = children(parent, name);
        if (found.size() != 1) {
            throw new IOException(parent.getLocalName() + " holds " + found.size() + " " + name + ", and needs one");
        }
        return found.getFirst();
    }

    private static String text(Element parent, String name) throws IOException {
        @Nullable String text = child(parent, name).getTextContent();
        return text == null ? "" : text.strip();
    }
}
