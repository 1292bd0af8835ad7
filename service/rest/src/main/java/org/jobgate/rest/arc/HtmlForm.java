// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import java.io.IOException;
import java.util.List;

/** Tables in a page, for somebody who looks with a browser. */
final class HtmlForm implements Form {

    private final Appendable out;

    HtmlForm(Appendable out) {
        this.out = out;
    }

    @Override
    public void document(Element root, List<String> lists) throws IOException {
        open(root.name());
        write(root);
        close();
    }

    @Override
    public void begin(String root, String item) throws IOException {
        open(root);
        out.append("<table border=\"1\">");
    }

    @Override
    public void item(Element element) throws IOException {
        row(element);
    }

    @Override
    public void next(String item) {
        // each element has its own name
    }

    @Override
    public void end() throws IOException {
        out.append("</table>");
        close();
    }

    private void open(String title) throws IOException {
        out.append("<!DOCTYPE html><html><head><title>ARC REST: ")
                .append(XmlForm.escaped(title))
                .append("</title></head><body>");
    }

    private void close() throws IOException {
        out.append("</body></html>\n");
    }

    private void row(Element element) throws IOException {
        out.append("<tr><th>").append(XmlForm.escaped(element.name())).append("</th><td>");
        write(element);
        out.append("</td></tr>");
    }

    private void write(Element element) throws IOException {
        out.append(XmlForm.escaped(element.text()));
        if (element.children().isEmpty()) {
            return;
        }
        out.append("<table border=\"1\">");
        for (Element child : element.children()) {
            row(child);
        }
        out.append("</table>");
    }
}
