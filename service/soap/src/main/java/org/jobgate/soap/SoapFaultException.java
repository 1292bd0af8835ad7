// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.job.FaultOrigin;
import org.jobgate.xml.XmlContent;
import org.jspecify.annotations.Nullable;

/** A SOAP fault to be answered. Its message is the {@code faultstring}, which clients print: never empty. */
public final class SoapFaultException extends RuntimeException {

    /** The side that has to mend the fault. */
    public enum Code {
        CLIENT("Client"),
        SERVER("Server");

        private final String wireName;

        Code(String wireName) {
            this.wireName = wireName;
        }

        /** The code for a fault of this origin: the client's, unless the service or its surroundings are in trouble. */
        public static Code of(FaultOrigin origin) {
            return origin == FaultOrigin.SITE || origin == FaultOrigin.TRANSIENT ? SERVER : CLIENT;
        }

        String wireName() {
            return wireName;
        }
    }

    private final Code code;
    private final @Nullable QName standardCode;
    private final transient @Nullable XmlContent detail;

    public SoapFaultException(Code code, String faultString, @Nullable XmlContent detail) {
        super(requireNonNull(faultString, "faultString is null"));
        this.code = code;
        this.standardCode = null;
        this.detail = detail;
    }

    /** A fault of the client's whose code a standard names, e.g. that of WS-Security. */
    public SoapFaultException(QName standardCode, String faultString) {
        super(requireNonNull(faultString, "faultString is null"));
        this.code = Code.CLIENT;
        this.standardCode = requireNonNull(standardCode, "standardCode is null");
        this.detail = null;
    }

    /** A request that is wrong as a SOAP message, before any typed fault could apply. */
    public static SoapFaultException client(String faultString) {
        return new SoapFaultException(Code.CLIENT, faultString, null);
    }

    public Code code() {
        return code;
    }

    /** The code on the wire, where a standard names another one than SOAP's. */
    public Optional<QName> standardCode() {
        return Optional.ofNullable(standardCode);
    }

    /** Writes the typed fault; absent where there is none. */
    public @Nullable XmlContent detail() {
        return detail;
    }
}
