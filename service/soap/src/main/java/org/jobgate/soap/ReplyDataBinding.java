// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import java.util.Collection;
import javax.xml.stream.XMLStreamWriter;
import javax.xml.transform.sax.SAXSource;
import javax.xml.validation.Schema;
import org.apache.cxf.databinding.DataWriter;
import org.apache.cxf.databinding.source.SourceDataBinding;
import org.apache.cxf.message.Attachment;
import org.apache.cxf.service.model.MessagePartInfo;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** Reads payloads as streams, as CXF does for sources, and writes our own content straight into the reply's stream. */
final class ReplyDataBinding extends SourceDataBinding {

    ReplyDataBinding() {
        super(SAXSource.class);
    }

    @Override
    @SuppressWarnings("unchecked") // the writer is for exactly the class that was asked for
    public <T> DataWriter<T> createWriter(Class<T> format) {
        return format == XMLStreamWriter.class ? (DataWriter<T>) new ContentWriter() : super.createWriter(format);
    }

    private static final class ContentWriter implements DataWriter<XMLStreamWriter> {

        @Override
        public void write(Object content, XMLStreamWriter output) {
            XmlContent body =
                    content instanceof ReplySource source ? source.reply().body() : (XmlContent) content;
            body.write(new XmlWriter(output));
        }

        @Override
        public void write(Object content, @Nullable MessagePartInfo part, XMLStreamWriter output) {
            write(content, output);
        }

        @Override
        public void setSchema(@Nullable Schema schema) {
            // what we write is tested against the schemas, not checked while it is written
        }

        @Override
        public void setAttachments(@Nullable Collection<Attachment> attachments) {
            // no service has any
        }

        @Override
        public void setProperty(String name, @Nullable Object value) {
            // none is known here
        }
    }
}
